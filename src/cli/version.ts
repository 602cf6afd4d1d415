import { readFileSync } from 'node:fs'

/** The version of the package; the build puts this file two folders below its root. */
export function versionOf(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
