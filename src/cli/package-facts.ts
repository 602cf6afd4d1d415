import { readFileSync } from 'node:fs'

/** Reads the facts of the package, whose root is two folders above this file once it is built. */
export function readPackage(): { version: string; homepage: string } {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return JSON.parse(text) as ReturnType<typeof readPackage>
}
