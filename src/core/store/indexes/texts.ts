import { type JsonRecord, someScalar } from '../../json/json.ts'
import { type Bits, createBits, intersectBits, setBit } from '../../structures/slot-set.ts'
import { type Chunk, chunkSize } from '../records/slots.ts'

/**
 * Removes slots of records that cannot contain all fragments, which are in lower case. The first search builds
 * an index of each chunk: trigrams are distributed over rows of bits, and a record has its bit in the rows of
 * all its trigrams.
 */
export function removeByTexts(
  found: Bits,
  fragments: readonly string[],
  chunks: readonly Chunk<JsonRecord>[],
): void {
  const rows = new Set<number>()
  for (const fragment of fragments) eachRow(fragment, (row) => rows.add(row))
  let built = 0
  for (const [at, chunk] of chunks.entries()) {
    if (rows.size === 0 || (!chunk.texts && ++built > maxBuilt)) continue
    const texts = (chunk.texts ??= buildTexts(chunk.items))
    for (const row of rows) intersectBits(bitsOf(found, at), bitsOf(texts, row))
  }
}

/** The index of a chunk has 2 to the power of this number of rows. */
const rowBits = 10
/** The most chunks that one search indexes, so that no search takes much longer than a scan. */
const maxBuilt = 16

function buildTexts(records: readonly (JsonRecord | undefined)[]): Bits {
  const texts = createBits(chunkSize << rowBits)
  for (const [at, record] of records.entries()) {
    someScalar(record, (value) =>
      eachRow(String(value).toLowerCase(), (row) => setBit(texts, row * chunkSize + at)),
    )
  }
  return texts
}

/** Returns the bits of the slots of one chunk. */
function bitsOf(bits: Bits, at: number): Bits {
  const words = chunkSize / 32
  return bits.subarray(at * words, at * words + words)
}

/** Calls back with the row of each trigram in a text. */
function eachRow(text: string, callback: (row: number) => void): void {
  let trigram = 0
  for (let at = 0; at < text.length; at++) {
    trigram = ((trigram << 8) ^ text.charCodeAt(at)) & 0xffffff
    if (at > 1) callback(Math.imul(trigram, 0x9e3779b1) >>> (32 - rowBits))
  }
}
