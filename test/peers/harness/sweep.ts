import { textOf } from '../../../src/core/dialects/shared/js-values.ts'
import { isDeepStrictEqual } from 'node:util'
import pluralize from 'pluralize'

import { isRecord } from '../../../src/core/json/json.ts'
import type { State } from './run.ts'

/**
 * Whether the states differ only by the sweep of json-server 0.17: what it lacks are records with a
 * key that names no record of a collection that is there.
 */
export function differsBySweep(reference: State, subject: State): boolean {
  return Object.entries(subject).every(([name, value]) => {
    const kept = reference[name]
    if (!Array.isArray(value) || !Array.isArray(kept)) return isDeepStrictEqual(value, kept)
    let at = 0
    const extra = value.filter((record) => {
      const isKept = isDeepStrictEqual(record, kept[at])
      if (isKept) at++
      return !isKept
    })
    return at === kept.length && extra.every((record) => isOrphan(record, subject))
  })
}

function isOrphan(record: unknown, state: State): boolean {
  if (!isRecord(record)) return false
  return Object.entries(record).some(([key, value]) => {
    const parents = key.endsWith('Id') ? state[pluralize.plural(key.slice(0, -2))] : undefined
    if (!Array.isArray(parents)) return false
    return !parents.some((parent) => hasId(parent, textOf(value)))
  })
}

function hasId(parent: unknown, id: string): boolean {
  return isRecord(parent) && 'id' in parent && textOf(parent['id']) === id
}
