/** Writes a value into a text for the hash of a URL: JSON, deflated, in base64url. */
export async function toHash(value: unknown): Promise<string> {
  const bytes = await pipe(new TextEncoder().encode(JSON.stringify(value)), 'deflate')
  const text = Array.from(bytes, (byte) => String.fromCodePoint(byte)).join('')
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** Reads the value from a text of `toHash`. @throws an error of the browser for any other text */
export async function fromHash(hash: string): Promise<unknown> {
  const text = atob(hash.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = Uint8Array.from(text, (char) => char.codePointAt(0) ?? 0)
  return JSON.parse(new TextDecoder().decode(await pipe(bytes, 'inflate'))) as unknown
}

async function pipe(
  bytes: Uint8Array<ArrayBuffer>,
  direction: 'deflate' | 'inflate',
): Promise<Uint8Array<ArrayBuffer>> {
  const stream =
    direction === 'deflate'
      ? new CompressionStream('deflate-raw')
      : new DecompressionStream('deflate-raw')
  const result = new Response(new Blob([bytes]).stream().pipeThrough(stream))
  return new Uint8Array(await result.arrayBuffer())
}
