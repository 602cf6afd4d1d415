import { bodyTooLarge, invalidBody } from '../../core/http/resource/body.ts'
import type { FormField } from '../../core/http/contract/messages.ts'
import { parseMultipart } from './multipart.ts'

/** Reads a body as bytes. @throws MockError 400 when it is incomplete, 413 beyond `limit` bytes */
export async function readBytes(request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const { bodyUsed } = request
  const bytes = await request.arrayBuffer().catch((cause: unknown) => {
    throw bodyUsed
      ? invalidBody('it was read before', 'Please pass a clone of the request.', cause)
      : invalidBody(String(cause), 'Please send it again.', cause)
  })
  if (bytes.byteLength <= limit) return new Uint8Array(bytes)
  throw bodyTooLarge(limit)
}

/** Reads a body as text. @throws MockError 400 when it is incomplete or not UTF-8, 413 beyond `limit` bytes */
export async function readText(request: Request, limit: number): Promise<string> {
  return decodeText(await readBytes(request, limit))
}

let utf8: TextDecoder | undefined

/** Decodes the bytes of a body. @throws MockError 400 when the bytes are not UTF-8 */
export function decodeText(bytes: Uint8Array): string {
  try {
    // React Native may have no `TextDecoder`.
    return (utf8 ??= new TextDecoder('utf-8', { fatal: true })).decode(bytes)
  } catch (cause) {
    throw invalidBody('it is not UTF-8', 'Please check its encoding.', cause)
  }
}

/** Reads a multipart form. @throws MockError 400 when it is incomplete or no form, 413 beyond `limit` bytes */
export async function readForm(request: Request, limit: number): Promise<FormField[]> {
  const bytes = await readBytes(request, limit)
  return parseMultipart(bytes, request.headers.get('content-type') ?? '')
}
