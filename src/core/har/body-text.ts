import { decodeUtf8, toBinaryString } from '../text/binary-string.ts'

/** Converts a body for a HAR: UTF-8 bytes of a textual media type as text, others as base64. */
export function toBodyText(body: string | Uint8Array, type: string): BodyText {
  if (typeof body === 'string') return { text: body }
  const binary = toBinaryString(body)
  const text = textual.test(type) ? decodeStart(binary) : undefined
  return text === undefined ? { text: btoa(binary), encoding: 'base64' } : { text }
}

/** The text of a body, and the encoding in which a HAR holds it. */
export interface BodyText {
  text: string
  encoding?: 'base64'
}

// Every supported runtime has the global function `btoa`, which the core's TypeScript libraries leave out.
declare function btoa(binary: string): string

const textual = /^text\/|json|xml|javascript|urlencoded|graphql|yaml|^$/i

/** Decodes UTF-8 that may end within a character, whose first bytes are left out. */
function decodeStart(binary: string): string | undefined {
  const incomplete = /[\xC0-\xFF][\x80-\xBF]{0,2}$/.exec(binary)
  const text = decodeUtf8(binary)
  return text === undefined && incomplete ? decodeUtf8(binary.slice(0, incomplete.index)) : text
}
