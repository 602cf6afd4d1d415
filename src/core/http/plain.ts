import type { Result } from '../dialects/dialect.ts'
import type { Routed } from './exchange.ts'
import type { MockRequest } from './messages.ts'
import { findMember } from './target.ts'

/**
 * Whether a request only asks for what is at its path, as it is: all that such a read takes is always
 * at hand.
 */
export function isPlain({
  method,
  headers,
  search,
}: Pick<MockRequest, 'method' | 'headers' | 'search'>): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    search.length < 2 &&
    takesAnything(headers['accept'] ?? '') &&
    !isConditional(headers)
  )
}

/** Nearly every client takes anything, at least in the end. */
export function takesAnything(accept: string): boolean {
  return (
    accept === '' ||
    accept === 'application/json' ||
    (accept.includes('*/*') && !accept.includes('q=0'))
  )
}

/** Whether a request has any precondition (RFC 9110 §13.1). */
export function isConditional(headers: MockRequest['headers']): boolean {
  return (
    headers['if-none-match'] !== undefined ||
    headers['if-match'] !== undefined ||
    headers['if-modified-since'] !== undefined ||
    headers['if-unmodified-since'] !== undefined
  )
}

/** What a plain read comes to; undefined where it takes more. */
export function readPlain({ target, service }: Routed): Result | undefined {
  if (target.kind === 'document') return { type: 'document', value: target.resource.get() }
  if (target.kind === 'singleton')
    return { type: 'record', action: 'read', record: target.resource.get() }
  const { resource } = target
  if (target.parent) return undefined
  if (target.kind === 'member')
    return { type: 'record', action: 'read', record: findMember(resource, target.id) }
  const asked = service.dialect.parseList([], resource)
  if (Object.keys(asked.query).length > 0) return undefined
  const records = resource.records()
  return { type: 'list', records, total: records.length, asked }
}
