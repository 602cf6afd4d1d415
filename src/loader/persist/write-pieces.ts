/**
 * Writes the pieces of a text in chunks of 256 KiB, so that requests are answered while a large file is
 * written, and a large text is never joined in memory.
 */
export async function writePieces(
  pieces: Iterable<string>,
  write: (bytes: Buffer) => Promise<void>,
): Promise<void> {
  let chunk = ''
  const flush = async (): Promise<void> => {
    const bytes = Buffer.from(chunk)
    chunk = ''
    await write(bytes)
  }
  for (const piece of pieces) {
    chunk += piece
    if (chunk.length >= CHUNK_SIZE) await flush()
  }
  if (chunk !== '') await flush()
}

/** In UTF-16 code units. */
const CHUNK_SIZE = 256 * 1024
