import type { FormField } from '../core/http/messages.ts'

/**
 * Reads a multipart form (RFC 7578 §4) where the platform cannot: in Node 24 with jsdom, whose `File`
 * takes the place of the one that Node makes files of, and in Node before 24, which wants its
 * parameters in one order and way. Each sign stands for a byte.
 * @throws TypeError when it is none
 */
export function parseMultipart(binary: string, type: string): FormField[] {
  const [, quoted, plain] =
    /^multipart\/form-data\b.*;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? []
  const [, ...parts] = `\r\n${binary}`.split(`\r\n--${quoted ?? plain}`)
  const last = parts.pop()
  if (!last?.startsWith('--')) throw new TypeError('The last part does not end.')
  return parts.map(toField)
}

function toField(part: string): FormField {
  const end = part.indexOf('\r\n\r\n')
  const head = decode(part.slice(0, Math.max(end, 0)))
  const parameters = parametersOf(head)
  const name = parameters.get('name')
  if (name === undefined) throw new TypeError('A part has no name.')
  const content = part.slice(end + 4)
  const file = extended(parameters.get('filename*')) ?? parameters.get('filename')
  if (file === undefined) return [name, decode(content)]
  const type = /^content-type:\s*(.*?)\s*$/im.exec(head)?.[1]?.toLowerCase() ?? 'text/plain'
  return [
    name,
    { name: file, type, size: content.length, url: `data:${type};base64,${btoa(content)}` },
  ]
}

/** The parameters of `Content-Disposition`, in which browsers escape three signs (HTML, "multipart/form-data"). */
function parametersOf(head: string): Map<string, string> {
  const [, line = ''] = /^content-disposition:\s*form-data\s*(;.*)/im.exec(head) ?? []
  const parameters = line.matchAll(/;\s*([^\s=;]+)=(?:"((?:\\"|[^"])*)"|([^\s;]*))/g)
  return new Map(
    Array.from(parameters, ([, name = '', quoted = '', plain = '']) => [
      name.toLowerCase(),
      plain || quoted.replaceAll('\\"', '"').replaceAll(/%(?:22|0D|0A)/gi, decodeURIComponent),
    ]),
  )
}

/** A parameter that names its charset (RFC 8187 §3.2); undefined where it cannot be read. */
function extended(value = ''): string | undefined {
  const [, text] = /^utf-8'[^']*'(.*)/i.exec(value) ?? []
  try {
    return text && decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function decode(binary: string): string {
  return new TextDecoder().decode(Uint8Array.from(binary, (sign) => sign.charCodeAt(0)))
}
