import { basename } from 'node:path'

/** The name of the configuration file that json-server 0.17 reads without `--config`. */
export const JSON_SERVER_CONFIG = 'json-server.json'

/** Whether a file has the options of json-server 0.17, by its name: `json-server.json`, `json-server.test.json`. */
export function isJsonServerConfig(path: string): boolean {
  return /^\.?json-server\b.*\.json$/.test(basename(path))
}

/** Converts the options of json-server 0.17: renames some, and leaves out those that are not needed. */
export function fromJsonServer(options: Readonly<Record<string, unknown>>): object {
  const entries = Object.entries(options).flatMap(([name, value]) => {
    if (unneeded.has(name)) return []
    if (noCors.has(name)) return value === true ? [['corsOrigin', 'none']] : []
    const option = Object.hasOwn(spellings, name) ? spellings[name] : name
    return [[option, numeric.has(option ?? '') ? toNumber(value) : value]]
  })
  return Object.fromEntries(entries) as object
}

/** The options that json-server spells differently: its aliases, and names with hyphens. */
const spellings: Readonly<Record<string, string>> = {
  p: 'port',
  H: 'host',
  w: 'watch',
  r: 'routes',
  m: 'middlewares',
  s: 'static',
  'read-only': 'readOnly',
  ro: 'readOnly',
  d: 'delay',
  i: 'id',
  fks: 'foreignKeySuffix',
  'foreign-key-suffix': 'foreignKeySuffix',
  q: 'quiet',
}

/** Options of json-server that this program does not need. */
const unneeded = new Set(['no-gzip', 'noGzip', 'ng', 'snapshots', 'S'])

const noCors = new Set(['no-cors', 'noCors', 'nc'])

/** The options whose value json-server also takes as a text. */
const numeric = new Set(['port', 'delay'])

function toNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
}
