import { compareSides } from '../../../src/core/drift/compare/compare-sides.ts'
import type { Difference } from '../../../src/core/drift/difference.ts'
import type { ObservedResponse, DriftTarget } from '../../../src/core/drift/observe/explore.ts'
import { toSide } from '../../../src/core/drift/observe/observe-api.ts'
import type { Side } from '../../../src/core/drift/side.ts'
import { isRecord, type Json } from '../../../src/core/json/json.ts'

/** Compares the values of two databases, without requests. */
export function findDifferences(
  here: Readonly<Record<string, Json>>,
  there: Readonly<Record<string, Json>>,
): Difference[] {
  return compareSides(read(here), read(there)).differences
}

function read(data: Readonly<Record<string, Json>>): Side {
  const responses = Object.entries(data).map(([name, body]): [DriftTarget, ObservedResponse[]] => {
    const isList = Array.isArray(body) && body.every(isRecord)
    const kind = isList ? 'collection' : isRecord(body) ? 'singleton' : 'document'
    const response = { url: '', path: `/${name}`, status: 200, json: body, headers: [] }
    return [{ name, kind, idField: 'id' }, [{ ...response, role: 'data' }]]
  })
  return toSide(new Map(responses))
}
