import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const root = join(import.meta.dirname, '../..')

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}

function filesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name))
}

/** The databases by name: the fixtures of the repository, and three of other character. */
export const databases: Readonly<Record<string, Record<string, unknown>>> = {
  fixtures: Object.fromEntries(
    filesIn(join(root, 'fixtures')).map((path) => [basename(path, '.json'), readJson(path)]),
  ),
  ...Object.fromEntries(
    filesIn(join(import.meta.dirname, 'databases')).map((path) => [
      basename(path, '.json'),
      readJson(path) as Record<string, unknown>,
    ]),
  ),
}
