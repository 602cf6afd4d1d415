import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { writeChanged } from '../../loader/write-changed.ts'

/**
 * Writes the declaration file for `virtual:fixtura`, unless the file has this text already. Returns the path
 * of a written file.
 */
export async function writeDeclaration(
  text: string,
  root: string,
  types: string | false | undefined,
): Promise<string | undefined> {
  const name = types === undefined ? defaultPath(root) : types
  if (name === undefined || name === false) return undefined
  const path = resolve(root, name)
  return (await writeChanged(path, text)) ? path : undefined
}

/** Returns the default path of the file; undefined in a project without TypeScript. */
function defaultPath(root: string): string | undefined {
  if (!existsSync(join(root, 'tsconfig.json'))) return undefined
  return existsSync(join(root, 'src')) ? `src/${fileName}` : fileName
}

const fileName = 'virtual-fixtura.d.ts'
