import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { writePieces } from './write-pieces.ts'

/**
 * Writes the lines of a journal that cannot be written at its path into the folder for temporary files, which
 * only this user can read. Returns the path of the copy, or undefined if the copy cannot be written either.
 */
export async function writeRescueCopy(
  journal: string,
  lines: Iterable<string>,
): Promise<string | undefined> {
  const path = join(tmpdir(), `fixtura-${process.pid}-${Date.now()}-${basename(journal)}`)
  try {
    const handle = await open(path, 'wx', 0o600)
    try {
      await writePieces(lines, (bytes) => handle.writeFile(bytes))
      await handle.sync()
    } finally {
      await handle.close()
    }
    return path
  } catch {
    return undefined
  }
}
