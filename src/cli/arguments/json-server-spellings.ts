import { ownValue } from '../../core/json/json.ts'
import type { Option } from './option.ts'

/**
 * Replaces the spellings of json-server by those of this program: `--middlewares a.js b.js` becomes an option
 * a value, `-sfolder` becomes `-s=folder`.
 */
export function normalizeSpelling(args: readonly string[], options: readonly Option[]): string[] {
  const end = args.indexOf('--')
  const own = end < 0 ? args : args.slice(0, end)
  const rest = end < 0 ? [] : args.slice(end)
  const known = own.flatMap(toKnown).map((arg) => separateValue(arg, options))
  return [...separateLists(known, options), ...rest]
}

/** The arguments of this program by the names of json-server's options. */
const spellings: Readonly<Record<string, string>> = {
  fks: '--foreignKeySuffix',
  ro: '--read-only',
  readOnly: '--read-only',
  'no-cors': '--cors-origin=none',
  noCors: '--cors-origin=none',
  nc: '--cors-origin=none',
}

function toKnown(arg: string): string[] {
  const [, name = '', value] = /^--([\w-]+)(=.*)?$/s.exec(arg) ?? []
  const known = Object.hasOwn(spellings, name) ? spellings[name] : undefined
  if (known === undefined) return [arg]
  // json-server needs `--no-cors=true`, as its parser reads the flag alone as `--cors=false`.
  if (known.includes('=')) return value === '=false' ? [] : [known]
  return [known + (value ?? '')]
}

/** Returns the advice about an option of json-server that this program does not have, by name or alias. */
export function replacementOf(name: string): string | undefined {
  return ownValue(replacements, name)
}

const noSnapshots = 'Please leave it out: the key s saves a snapshot, the key b restores it.'
const noGzip = 'Please leave it out: a response is only compressed if the client accepts it.'

const replacements: Readonly<Record<string, string>> = {
  snapshots: noSnapshots,
  S: noSnapshots,
  'no-gzip': noGzip,
  ng: noGzip,
}

function separateValue(arg: string, options: readonly Option[]): string {
  const [, letter, value] = /^-([a-z])([^=].*)$/is.exec(arg) ?? []
  const takesValue = options.some(({ alias, type }) => type !== 'flag' && alias === letter)
  return letter !== undefined && takesValue ? `-${letter}=${value}` : arg
}

function separateLists(args: readonly string[], options: readonly Option[]): string[] {
  const flags = new Map(
    options.flatMap((option) => {
      const flag = `--${option.name}`
      if (option.type !== 'list' || !option.isGreedy) return []
      return [flag, `-${option.alias}`].map((spelling) => [spelling, flag] as const)
    }),
  )
  const separated: string[] = []
  let list: string | undefined
  for (const [index, arg] of args.entries()) {
    const isOption = arg.startsWith('-')
    if (isOption) list = flags.get(arg)
    const hasValues = list !== undefined && /^[^-]/.test(args[index + 1] ?? '-')
    if (list !== undefined && !isOption) separated.push(`${list}=${arg}`)
    else if (!hasValues) separated.push(arg)
  }
  return separated
}
