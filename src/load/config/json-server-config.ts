/**
 * Converts the options in a configuration file of json-server 0.17 to options of a Fixtura configuration.
 * Options that json-server spells differently are renamed, and options that Fixtura does not need are left
 * out.
 */
export function fromJsonServer(options: Readonly<Record<string, unknown>>): object {
  const entries = Object.entries(options).flatMap(([name, value]) => {
    if (unneeded.has(name)) return []
    if (noCors.has(name)) return value === true ? [['corsOrigin', 'none']] : []
    return [[Object.hasOwn(spellings, name) ? spellings[name] : name, value]]
  })
  return Object.fromEntries(entries) as object
}

/** The name of the configuration file of json-server 0.17. */
export const JSON_SERVER_CONFIG = 'json-server.json'

/** The options that json-server spells differently. */
const spellings: Readonly<Record<string, string>> = {
  'read-only': 'readOnly',
  ro: 'readOnly',
  fks: 'foreignKeySuffix',
}

/** Options of json-server that this program does not need. */
const unneeded = new Set(['no-gzip', 'noGzip', 'ng', 'snapshots'])

const noCors = new Set(['no-cors', 'noCors', 'nc'])
