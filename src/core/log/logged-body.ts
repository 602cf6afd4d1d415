/** The body of a request as it is logged, without a copy; a multipart form by its fields in order. */
export type LoggedBody = string | Uint8Array | LoggedForm

/** The fields of a multipart form. */
export type LoggedForm = readonly (readonly [name: string, value: string | LoggedFile])[]

interface LoggedFile {
  name: string
  type: string
  /** In bytes. */
  size: number
  /** The content as a data URL. */
  url: string
}

/** The length of the excerpt of a body beyond the limit of the log, in characters or bytes. */
const EXCERPT = 64 * 1024

/** Whether a body is a multipart form. */
export function isForm(body: LoggedBody): body is LoggedForm {
  return Array.isArray(body)
}

/** Returns the approximate memory of a body, in characters or bytes. */
export function sizeOf(body: LoggedBody | null | undefined): number {
  if (body === null || body === undefined) return 0
  if (!isForm(body)) return body.length
  return body.reduce((size, [name, value]) => {
    return size + name.length + (typeof value === 'string' ? value : value.url).length
  }, 0)
}

/** A copy of the first 65536 characters or bytes, so that the whole body is freed; undefined for a form. */
export function toExcerpt(
  body: LoggedBody | null | undefined,
  encode: (text: string) => Uint8Array,
): Uint8Array | undefined {
  if (typeof body === 'string') return encode(body.slice(0, EXCERPT))
  return body && !isForm(body) ? body.slice(0, EXCERPT) : undefined
}
