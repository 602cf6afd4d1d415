import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Writes a text to a file, and creates its folder, unless the file has the text already, also with other line
 * ends. Resolves to whether the file was written.
 */
export async function writeChanged(path: string, text: string): Promise<boolean> {
  const before = await readFile(path, 'utf8').catch(() => undefined)
  if (before?.replaceAll('\r\n', '\n') === text) return false
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
  return true
}
