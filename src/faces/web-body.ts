import { largeBody, wrongBody } from '../core/http/body-error.ts'
import type { FormField } from '../core/http/messages.ts'

/**
 * Reads the body of a request byte by byte.
 * @throws MockError 400 when it breaks off, 413 when it has more bytes than `limit`
 */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await request.arrayBuffer().catch((cause: unknown) => {
    throw wrongBody(String(cause), 'Please send it again.', cause)
  })
  if (bytes.byteLength <= limit) return new Uint8Array(bytes)
  throw largeBody(limit)
}

/**
 * Reads the body of a request as text.
 * @throws MockError 400 when it breaks off or is not UTF-8, 413 when it has more bytes than `limit`
 */
export async function readText(request: Request, limit: number): Promise<string> {
  if (request.body === null) return ''
  const bytes = await readBytes(request, limit)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw wrongBody('it is not UTF-8', 'Please check its encoding.', cause)
  }
}

/**
 * Reads the body of a request as a form.
 * @throws MockError 400 when it breaks off or is none, 413 when it has more bytes than `limit`
 */
export async function readForm(request: Request, limit: number): Promise<FormField[]> {
  const bytes = await readBytes(request, limit)
  if (bytes.byteLength === 0) return []
  const type = request.headers.get('content-type') ?? ''
  try {
    return await parseForm(bytes, type).catch(async () =>
      (await import('./multipart.ts')).parseMultipart(toBinary(bytes), type),
    )
  } catch (cause) {
    throw wrongBody('it is no form of its type', 'Please check its boundary.', cause)
  }
}

/** As a response, which has `formData` in every runtime, once the size is known. */
async function parseForm(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<FormField[]> {
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
  return Promise.all(Array.from(form, toField))
}

async function toField([name, value]: [string, FormDataEntryValue]): Promise<FormField> {
  if (typeof value === 'string') return [name, value]
  const { name: file, size, type } = value
  const content = btoa(toBinary(new Uint8Array(await value.arrayBuffer())))
  return [name, { name: file, type, size, url: `data:${type};base64,${content}` }]
}

/** Bytes as a text of as many signs. */
function toBinary(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return binary
}
