import { define, isRecord, type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import type { SplitParam } from '../contract/dialect.ts'
import { wrongParameter } from '../shared/wrong-parameter.ts'

/** Separates the parameters without keys in brackets from the value that the others describe. */
export function splitBrackets(params: readonly SplitParam[]): { plain: SplitParam[]; tree?: Json } {
  const plain = params.filter(({ parts }) => parts['keys'] === undefined)
  const others = params.filter(({ parts }) => parts['keys'] !== undefined)
  return others.length > 0 ? { plain, tree: fromBrackets(others) } : { plain }
}

/**
 * Builds the value that parameters with keys in brackets describe, as `qs` writes them: `where[or][0][title]=x`. A
 * number or an empty key is a place in a list. @throws MockError 400 for more than 32 keys
 */
function fromBrackets(params: readonly SplitParam[]): Json {
  const root: JsonRecord = {}
  for (const { name, parts } of params) {
    const keys = (parts['keys'] ?? '').split('][')
    if (keys.length > 32) throw wrongParameter(name, 'has more than 32 keys')
    let level = root
    for (const [at, written] of keys.entries()) {
      const key = written === '' ? String(Object.keys(level).length) : written
      const inner = ownValue(level, key)
      const next = isRecord(inner) ? inner : {}
      define(level, key, at === keys.length - 1 ? (parts['value'] ?? '') : next)
      level = next
    }
  }
  return withLists(root)
}

/** Replaces objects whose keys are all numbers by lists. */
function withLists(value: Json): Json {
  if (!isRecord(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, withLists(inner)] as const)
  const isList = entries.length > 0 && entries.every(([key]) => /^\d+$/.test(key))
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
}
