import { define, isRecord, type Json, type JsonRecord } from '../../json/json.ts'
import type { Path } from '../../json/path.ts'
import type { RecordNames, StoredKeys } from '../contract/dialect.ts'
import { type KeyStyle, keyStyles } from './options.ts'

/** Spells a key in a style: `firstName` as `first_name`. Keeps outer underscores, `$ref` and `@type`. */
export function toStyle(key: string, style: KeyStyle): string {
  const [, start = '', middle = '', end = ''] = /^(_*)([A-Za-z][\w-]*?)(_*)$/.exec(key) ?? []
  return middle === '' ? key : start + styles[style](wordsOf(middle)) + end
}

/** Returns the style of a key of several words; undefined for a key of one word. */
export function styleOf(key: string): KeyStyle | undefined {
  if (/[a-z\d]_[a-z\d]/i.test(key)) return 'snake_case'
  if (/[a-z\d]-[a-z\d]/i.test(key)) return 'kebab-case'
  if (/^[A-Z][a-z]+[A-Z]/.test(key)) return 'PascalCase'
  return /[a-z\d][A-Z]/.test(key) ? 'camelCase' : undefined
}

/** How the words of a key are joined, and how the first and the other words begin. */
const styles: Readonly<Record<KeyStyle, (words: readonly string[]) => string>> = {
  camelCase: ([first = '', ...words]) => lower(first) + words.map(capital).join(''),
  snake_case: (words) => words.map(lower).join('_'),
  'kebab-case': (words) => words.map(lower).join('-'),
  PascalCase: (words) => words.map(capital).join(''),
}

function wordsOf(text: string): string[] {
  return (
    text
      .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
      // The capital before a lower-case letter begins a word, except in plurals such as `URLs`.
      .replaceAll(/([A-Z])([A-Z](?!s(?![a-z]))[a-z])/g, '$1_$2')
      .split(/[_-]+/)
  )
}

function lower(word: string): string {
  return word.toLowerCase()
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()
}

/** Creates the conversions of the option `key`: of records for responses, and of field names for requests. */
export function createRecordKeys(style: KeyStyle): {
  toWire(key: string): string
  presentValue(value: Json): Json
  namesFor(stored: StoredKeys): RecordNames
} {
  const spelled = new Map<string, string>()
  const presented = new WeakMap<JsonRecord, JsonRecord>()

  const toWire = (key: string): string => {
    const known = spelled.get(key)
    if (known !== undefined) return known
    const wire = toStyle(key, style)
    // Bounds the memory that maps with many keys take.
    if (spelled.size < 10_000) spelled.set(key, wire)
    return wire
  }
  const presentValue = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(presentValue)
    return isRecord(value) ? present(value) : value
  }
  const present = (record: JsonRecord): JsonRecord => {
    const known = presented.get(record)
    if (known) return known
    const copy: JsonRecord = {}
    for (const key of Object.keys(record))
      define(copy, toWire(key), presentValue(record[key] ?? null))
    presented.set(record, copy)
    return copy
  }

  function namesFor(stored: StoredKeys): RecordNames {
    const keys = stored.keys?.() ?? new Set<string>()
    const byWire = new Map(Array.from(keys, (key) => [toWire(key), key]))
    const usual = [...keys].map(styleOf).find((one) => one !== undefined)
    const hasPath = (path: Path): boolean => stored.hasPath?.(path) ?? false

    /** The stored spelling of a key on the wire: that of the previous record, else of other records. */
    const storedKey = (key: string, at: Path, previous: JsonRecord | undefined): string => {
      const own = previous && Object.keys(previous).find((one) => toWire(one) === key)
      if (own !== undefined) return own
      const top = at.length === 0 ? byWire.get(key) : undefined
      if (top !== undefined) return top
      const candidates = [key, ...keyStyles.map((one) => toStyle(key, one))]
      const found = candidates.find((one) => toWire(one) === key && hasPath([...at, one]))
      return found ?? (usual ? toStyle(key, usual) : key)
    }
    const restore = (value: Json, at: Path, previous: Json | undefined): Json => {
      if (Array.isArray(value)) {
        const before = Array.isArray(previous) ? previous : []
        return value.map((one, index) => restore(one, at, before[index]))
      }
      return isRecord(value) ? restoreRecord(value, at, previous) : value
    }
    const restoreRecord = (record: JsonRecord, at: Path, before: Json | undefined): JsonRecord => {
      const previous = isRecord(before) ? before : undefined
      const restored: JsonRecord = {}
      for (const key of Object.keys(record)) {
        const name = storedKey(key, at, previous)
        define(restored, name, restore(record[key] ?? null, [...at, name], previous?.[name]))
      }
      return restored
    }
    return {
      present,
      fieldName: toWire,
      toStored: (record, previous) => restoreRecord(record, [], previous),
    }
  }
  return { toWire, presentValue, namesFor }
}
