import { readFileSync } from 'node:fs'

/** Reads the version of the package, whose root is two folders above this file once it is built. */
export function versionOf(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
