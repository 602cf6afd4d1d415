import type { ListRequest, Result } from '../../dialects/contract/dialect.ts'
import type { MockRequest } from '../contract/messages.ts'
import type { Places, Target } from '../routing/target.ts'

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

/** Whether a person reads the answer: a browser that opens a page names HTML first. */
export function prefersHtml(headers: MockRequest['headers']): boolean {
  return headers['accept']?.startsWith('text/html') ?? false
}

/** Whether a request has any precondition (RFC 9110 §13.1). */
export function isConditional(headers: MockRequest['headers']): boolean {
  const first =
    headers['if-none-match'] ??
    headers['if-match'] ??
    headers['if-modified-since'] ??
    headers['if-unmodified-since']
  return first !== undefined
}

/** What a plain path stands for: `/posts`, `/posts/1`; undefined for any other. */
export function findPlain(
  path: string,
  { base, store }: Pick<Places, 'base' | 'store'>,
): Target | undefined {
  if (path.includes('%') || !path.startsWith(`${base}/`)) return undefined
  const rest = path.slice(base.length + 1)
  const at = rest.indexOf('/')
  const resource = store.resources.get(at < 0 ? rest : rest.slice(0, at))
  const id = at < 0 ? undefined : rest.slice(at + 1)
  if (!resource || id === '' || id?.includes('/')) return undefined
  if (id === undefined) return { kind: resource.kind, resource } as Target
  const isMember = resource.kind === 'collection' && !store.resources.has(rest)
  return isMember ? { kind: 'member', resource, id } : undefined
}

/** What a plain read comes to. */
export type PlainResult = Exclude<Result, { type: 'records' }>

/** Reads what is at a path, where it is asked for like that; undefined where it takes more. */
export function readPlain(
  target: Target,
  asked: ListRequest = { query: {}, ignored: [] },
): PlainResult | undefined {
  if (target.kind === 'document') return { type: 'document', value: target.resource.get() }
  if (target.kind === 'singleton')
    return { type: 'record', action: 'read', record: target.resource.get() }
  const { resource, parent } = target
  if (parent || Object.keys(asked.query).length > 0) return undefined
  if (target.kind === 'member') {
    const record = resource.get(target.id)
    return record && { type: 'record', action: 'read', record }
  }
  const records = resource.records()
  return { type: 'list', records, total: records.length, asked }
}
