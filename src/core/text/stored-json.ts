import { toBytes } from './base64.ts'
import { toBinaryString } from './binary-string.ts'

/** Writes a value as JSON. Bytes become an object with base64; a space at the start marks a text that has bytes. */
export function writeStored(value: unknown): string {
  let mark = ''
  const text = JSON.stringify(value, (_, inner: unknown) => {
    if (!ArrayBuffer.isView(inner)) return inner
    mark = ' '
    return { [bytesKey]: btoa(toBinaryString(inner as Uint8Array)) }
  })
  return mark + text
}

/** Reads what `writeStored` has written. */
export function readStored(text: string): unknown {
  if (!text.startsWith(' ')) return JSON.parse(text)
  return JSON.parse(text, (_, inner: Record<string, unknown> | null) => {
    const base64 = typeof inner === 'object' && inner?.[bytesKey]
    return typeof base64 === 'string' ? toBytes(base64) : inner
  })
}

const bytesKey = '\u0000bytes'

// See base64.ts.
declare function btoa(binary: string): string
