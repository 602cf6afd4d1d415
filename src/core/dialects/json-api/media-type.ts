import { MockError } from '../../errors/mock-error.ts'
import type { Call } from '../contract/dialect.ts'
import { mediaType } from './document.ts'

/** The URI of the extension Atomic Operations. */
export const atomic = 'https://jsonapi.org/ext/atomic'

/**
 * Checks the parameters of the media type in `Content-Type` and `Accept` (JSON:API 1.1, "Content Negotiation"): only
 * `ext`, with known extensions, and `profile`.
 * @throws MockError 415 for `Content-Type`, 406 if every instance of the media type in `Accept` is refused
 */
export function negotiate(request: Request): void {
  const { 'content-type': sent = '', accept = '' } = request.headers
  const [content] = instancesIn(sent)
  if (content && !isSupported(content)) throw unsupported(request)
  const accepted = instancesIn(accept)
  if (accepted.length === 0 || accepted.some(isSupported)) return
  const reason = `its instances of ${mediaType} have other parameters than "profile" and "ext" with ${atomic}`
  throw new MockError(`Failed to answer as "${accept}": ${reason}. Please accept ${mediaType}.`, {
    status: 406,
    code: 'NOT_ACCEPTABLE',
  })
}

type Request = Pick<Call, 'method' | 'headers'>

/** Checks that a body has the media type. @throws MockError 415 */
export function checkContentType(request: Request): void {
  if (instancesIn(request.headers['content-type'] ?? '').length === 0) throw unsupported(request)
}

/** Whether `Content-Type` applies the extension Atomic Operations. */
export function isAtomic(headers: Call['headers']): boolean {
  return instancesIn(headers['content-type'] ?? '').some((one) =>
    one.get('ext')?.split(' ').includes(atomic),
  )
}

/** Creates the error for a body of another media type. */
export function unsupported({ method, headers }: Request, known: string = mediaType): MockError {
  const { 'content-type': sent } = headers
  const given = sent === undefined ? 'it has no Content-Type' : `"${sent}" is not supported`
  const advice = `Please send Content-Type: ${known}, whose only parameters are "ext" and "profile".`
  const header = method === 'PATCH' ? 'Accept-Patch' : 'Accept'
  return new MockError(`Failed to read the body: ${given}. ${advice}`, {
    status: 415,
    code: 'TYPE_UNSUPPORTED',
    headers: [[header, known]],
  })
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
