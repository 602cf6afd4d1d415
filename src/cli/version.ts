import { createRequire } from 'node:module'

/** The version of the package, wherever the build has put this file. */
export function versionOf(): string {
  const { version } = createRequire(import.meta.url)('fixtura/package.json') as { version: string }
  return version
}
