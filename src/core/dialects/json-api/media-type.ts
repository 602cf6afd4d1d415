import { MockError } from '../../errors/mock-error.ts'
import type { Call } from '../contract/dialect.ts'
import { mediaType } from './document.ts'

/** The URI of the extension Atomic Operations. */
export const atomic = 'https://jsonapi.org/ext/atomic'

/**
 * Checks the parameters of the media type in `Content-Type` and `Accept` (JSON:API 1.1, "Content Negotiation"): only `ext`, with known
 * extensions, and `profile`.
 * @throws MockError 415 for `Content-Type`, 406 if every instance of the media type in `Accept` is refused
 */
export function negotiate({ 'content-type': sent, accept = '' }: Call['headers']): void {
  const [content] = instancesIn(sent ?? '')
  if (content && !isSupported(content)) throw unsupported(sent ?? '')
  const accepted = instancesIn(accept)
  if (accepted.length === 0 || accepted.some(isSupported)) return
  throw new MockError(
    `Failed to answer as "${accept}": the media type ${mediaType} takes only the parameters "ext" and "profile", and the only extension is ${atomic}. Please accept ${mediaType}.`,
    { status: 406, code: 'NOT_ACCEPTABLE' },
  )
}

/** Checks that a body has the media type. @throws MockError 415 */
export function checkContentType({ headers }: Pick<Call, 'headers'>): void {
  const sent = headers['content-type'] ?? ''
  if (instancesIn(sent).length === 0) throw unsupported(sent)
}

/** Whether `Content-Type` applies the extension Atomic Operations. */
export function isAtomic(headers: Call['headers']): boolean {
  return instancesIn(headers['content-type'] ?? '').some((one) =>
    one.get('ext')?.split(' ').includes(atomic),
  )
}

/** Creates the error for a body of another media type. */
export function unsupported(sent: string, known: string = mediaType): MockError {
  const given = sent === '' ? 'it has no Content-Type' : `"${sent}" is not supported`
  return new MockError(
    `Failed to read the body: ${given}. Please send Content-Type: ${known}, whose only parameters are "ext" and "profile".`,
    { status: 415, code: 'TYPE_UNSUPPORTED', headers: [['Accept', known]] },
  )
}

function isSupported(parameters: ReadonlyMap<string, string>): boolean {
  const extensions = parameters.get('ext')?.split(' ') ?? []
  const isKnown = [...parameters.keys()].every((name) => name === 'ext' || name === 'profile')
  return isKnown && extensions.every((one) => one === '' || one === atomic)
}

/** The parameters of each instance of the media type in a header, without weights. */
function instancesIn(header: string): Map<string, string>[] {
  const split = (text: string, separator: string): string[] =>
    (text.match(new RegExp(`(?:[^"${separator}]|"(?:[^"\\\\]|\\\\.)*"?)+`, 'g')) ?? []).map(
      (part) => part.trim(),
    )
  return split(header, ',').flatMap((instance) => {
    const [type = '', ...parameters] = split(instance, ';')
    if (type.toLowerCase() !== mediaType) return []
    const pairs = parameters.flatMap((text): [string, string][] => {
      const [name = '', value = ''] = text.split(/=(.*)/s)
      const isWeight = /^q$/i.test(name.trim())
      return isWeight ? [] : [[name.trim().toLowerCase(), value.trim().replace(/^"(.*)"$/s, '$1')]]
    })
    return [new Map(pairs)]
  })
}
