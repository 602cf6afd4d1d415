import { extname } from 'node:path'

const EXTENSIONS = new Set(['.json', '.jsonc', '.json5', '.js', '.mjs'])

/** The extensions of the files that are read. */
export const KINDS: string = [...EXTENSIONS].join(', ')

/** What fixtures are written in elsewhere. */
const FOREIGN = /\.(?:[cm]?ts|cjs|ya?ml|toml|[ct]sv|geojson|jsonl|ndjson)$/i

/** What has its place beside fixtures: types, and what collects them. */
const BESIDE = /^(?:index|types)\.|\.d\./

/** Whether files with this name are read, by their extension. */
export function isReadable(name: string): boolean {
  return EXTENSIONS.has(extname(name).toLowerCase())
}

/** Whether a file with this name looks like fixtures, and is not read. */
export function isForeign(name: string): boolean {
  return FOREIGN.test(name) && !BESIDE.test(name)
}

/** Which files are passed over, and what is read. */
export function describePassedOver(labels: readonly string[]): string {
  return `Passed over: ${listSome(labels)}. Read are ${KINDS}.`
}

/** The first three of some names, and how many more there are. */
export function listSome(names: readonly string[]): string {
  const more = names.length > 3 ? ` and ${names.length - 3} more` : ''
  return names.slice(0, 3).join(', ') + more
}
