import { MockError } from '../errors/mock-error.ts'
import { inside, keysOf, elementsOf } from '../json/documents.ts'
import { isRecord } from '../json/json.ts'
import { scalarText } from '../json/scalar-text.ts'
import { parseParams } from '../url/params.ts'
import type { Operation, SourceDocument } from './document.ts'

/**
 * Creates the check that a request has the credentials that the document asks for (OpenAPI 3.1 §4.8.30): any token, key
 * or password counts. @throws MockError 401, with a challenge for each scheme
 */
export function createSecurityCheck(source: SourceDocument): SecurityCheck {
  const top = { value: source.root, uri: '#' }
  const named = inside(inside(top, 'components'), 'securitySchemes')
  const schemes = new Map(
    keysOf(named).map((name) => [name, toScheme(source.follow(inside(named, name))?.value)]),
  )
  const own = ({ part }: Operation): string[][] => {
    const given = inside(part, 'security')
    const alternatives = elementsOf(given.value === undefined ? inside(top, 'security') : given)
    return alternatives.map(keysOf)
  }
  return {
    keys: [...schemes.values()].flatMap(({ secret }) => secret ?? []),
    check(operation, request) {
      const alternatives = own(operation)
      const has = (name: string): boolean => schemes.get(name)?.isIn(request) ?? true
      if (alternatives.length === 0 || alternatives.some((names) => names.every(has))) return
      const missing = alternatives.flat().flatMap((name) => schemes.get(name) ?? [])
      const { method, path } = operation
      throw new MockError(
        `Failed to ${method} "${path}": the request has no credentials. Please send ${[...new Set(missing.map(({ example }) => example))].join(' or ')}.`,
        {
          status: 401,
          code: 'UNAUTHORIZED',
          headers: [
            [
              'WWW-Authenticate',
              [...new Set(missing.map(({ word }) => `${word} realm="mock"`))].join(', '),
            ],
          ],
        },
      )
    },
  }
}

/** Checks the credentials of requests. */
export interface SecurityCheck {
  /** The headers and parameters that hold keys, which the log redacts: `x-api-key`, `?key`. */
  keys: readonly string[]
  check(operation: Operation, request: Credentials): void
}

interface Credentials {
  headers: Readonly<Record<string, string | undefined>>
  search: string
}

/** A security scheme: how requests send it. */
interface Scheme {
  /** The authentication scheme of the challenge (RFC 9110 §11.1). */
  word: string
  /** How a client sends the credentials, for messages. */
  example: string
  secret?: string[]
  isIn(request: Credentials): boolean
}

function toScheme(value: unknown): Scheme {
  const { type, scheme, name, in: place } = isRecord(value) ? value : {}
  const key = scalarText(name)
  if (type === 'apiKey' && place === 'query') {
    return {
      word: 'ApiKey',
      example: `the parameter "${key}"`,
      secret: [`?${key}`, `&${key}`],
      isIn: ({ search }) => parseParams(search).some(([one, text]) => one === key && text !== ''),
    }
  }
  if (type === 'apiKey') {
    const isCookie = place === 'cookie'
    const header = isCookie ? 'cookie' : key.toLowerCase()
    return {
      word: 'ApiKey',
      example: `the ${isCookie ? 'cookie' : 'header'} "${key}"`,
      secret: [header],
      isIn: ({ headers }) => {
        const text = headers[header] ?? ''
        return isCookie ? text.split(/;\s*/).some((one) => one.startsWith(`${key}=`)) : text !== ''
      },
    }
  }
  if (type === 'mutualTLS') return { word: 'Mutual', example: 'a certificate', isIn: () => true }
  const given = type === 'basic' ? 'basic' : type === 'http' ? scalarText(scheme) : 'bearer'
  const word = given.charAt(0).toUpperCase() + given.slice(1).toLowerCase()
  return {
    word,
    example: `"Authorization: ${word} …"`,
    isIn: ({ headers }) => {
      const [sent = '', credentials = ''] = (headers['authorization'] ?? '').split(/ +/)
      return sent.toLowerCase() === given.toLowerCase() && credentials !== ''
    },
  }
}
