import { invalidBody } from '../../core/http/resource/body.ts'
import type { FormField } from '../../core/http/contract/messages.ts'
import { toBinaryString } from '../../core/text/binary-string.ts'

/** Parses a multipart form (RFC 7578 §4), alike on every runtime. @throws MockError 400 for bytes that are none */
export function parseMultipart(bytes: Uint8Array, type: string): FormField[] {
  if (bytes.length === 0) return []
  const delimiter = delimiterOf(type)
  const [preamble = '', ...parts] = `\r\n${toAscii(bytes)}`.split(delimiter)
  // The text after the last boundary is ignored (RFC 2046 §5.1.1).
  const last = parts.findIndex((part) => part.startsWith('--'))
  if (last < 0) throw wrongForm()
  let end = preamble.length - 2
  return parts.slice(0, last).flatMap((part) => {
    const start = end + delimiter.length
    end = start + part.length
    const field = toField(part, bytes.subarray(start, end))
    return isUntouched(field) ? [] : [field]
  })
}

/** The text between the parts of a form, by its media type. */
export function delimiterOf(type: string): string {
  const [, quoted, plain] =
    /^multipart\/form-data\b.*;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? []
  return `\r\n--${quoted ?? plain}`
}

function toField(part: string, bytes: Uint8Array): FormField {
  const end = Math.max(part.indexOf('\r\n\r\n'), 0)
  return toFormField(parseHead(bytes.subarray(0, end)), bytes.subarray(end + 4))
}

/** Parses the header lines of a part. @throws MockError 400 for a part without a name */
export function parseHead(bytes: Uint8Array): PartHead {
  // A regular expression could overflow the stack on a longer head, which no client sends.
  if (bytes.length > MAX_HEAD) throw wrongForm()
  const head = toUtf8(bytes)
  const parameters = parametersOf(head)
  const name = parameters.get('name')
  if (name === undefined) throw wrongForm()
  const [, given] = /(?:^|\r\n)content-type:([^\r\n]*)/i.exec(head) ?? []
  const type = given?.trim().toLowerCase() ?? 'text/plain'
  // Node leaves the name of a file out if the name is empty.
  const unnamed = type === 'application/octet-stream' ? '' : undefined
  const file = extended(parameters.get('filename*')) ?? parameters.get('filename') ?? unnamed
  return { name, type, file }
}

/** The longest head of a part, in bytes. */
export const MAX_HEAD = 1_048_576

/** The name of a field, and the type and name of a file; no name for a text. */
interface PartHead {
  name: string
  type: string
  file: string | undefined
}

/** Creates a field from its head and its content. */
export function toFormField({ name, type, file }: PartHead, content: Uint8Array): FormField {
  if (file === undefined) return [name, toUtf8(content)]
  return [
    name,
    { name: file, type, size: content.length, url: `data:${type};base64,${toBase64(content)}` },
  ]
}

/** Whether a field is a file input without a file: browsers send an empty name and no bytes for it (HTML). */
export function isUntouched([, value]: FormField): boolean {
  return typeof value === 'object' && value.name === '' && value.size === 0
}

/** The parameters of `Content-Disposition`, in which browsers escape three characters (HTML, "multipart/form-data"). */
function parametersOf(head: string): Map<string, string> {
  const [, line = ''] = /(?:^|\r\n)content-disposition:\s*form-data\s*(;[^\r\n]*)/i.exec(head) ?? []
  const parameters = line.matchAll(/;\s*([^\s=;]+)=(?:"((?:\\"|[^"])*)"|([^\s;]*))/g)
  return new Map(
    Array.from(parameters, ([, name = '', quoted = '', plain = '']) => [
      name.toLowerCase(),
      plain || quoted.replaceAll('\\"', '"').replaceAll(/%(?:22|0D|0A)/gi, decodeURIComponent),
    ]),
  )
}

/** A parameter with a charset (RFC 8187 §3.2); undefined if it cannot be decoded. */
function extended(value = ''): string | undefined {
  const [, text] = /^utf-8'[^']*'(.*)/i.exec(value) ?? []
  try {
    return text && decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Keeps a byte order mark, as the form parser of browsers does (XHR, "multipart/form-data parser"). */
function toUtf8(bytes: Uint8Array): string {
  // React Native may have no `TextDecoder`, and creates no forms of bytes.
  return (utf8 ??= new TextDecoder('utf-8', { ignoreBOM: true })).decode(bytes)
}

let utf8: TextDecoder | undefined

/** Node's Buffer is many times as fast as the web's encoders. */
const { Buffer: node } = globalThis as { Buffer?: typeof Buffer }

/** One character for each byte; only ASCII bytes decode to the same character on every runtime. */
function toAscii(bytes: Uint8Array): string {
  return toBuffer(bytes)?.toString('latin1') ?? new TextDecoder('latin1').decode(bytes)
}

function toBase64(bytes: Uint8Array): string {
  return toBuffer(bytes)?.toString('base64') ?? btoa(toBinaryString(bytes))
}

function toBuffer({ buffer, byteOffset, length }: Uint8Array): Buffer | undefined {
  return node?.from(buffer, byteOffset, length)
}

/** The error 400 for bytes that are no form of their `Content-Type`. */
export function wrongForm(): Error {
  return invalidBody('it is not a form of its Content-Type', 'Please check the boundary.')
}
