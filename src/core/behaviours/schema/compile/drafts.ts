import { isRecord } from '../../../json/json.ts'

/**
 * The rules of one draft of JSON Schema, for the points in which the drafts contradict one another. A
 * keyword that only some drafts define works in every draft.
 */
export interface Draft {
  /** The keyword that gives a schema its URI. */
  readonly idKeyword: 'id' | '$id'
  /** Whether the keywords beside `$ref` are ignored. */
  readonly ignoresBesideRef: boolean
  /** Whether `exclusiveMinimum` and `exclusiveMaximum` are flags of `minimum` and `maximum`. */
  readonly hasExclusiveFlags: boolean
  /** Whether `unevaluatedItems` skips the elements that match `contains`. */
  readonly containsEvaluates: boolean
}

const draft2020: Draft = {
  idKeyword: '$id',
  ignoresBesideRef: false,
  hasExclusiveFlags: false,
  containsEvaluates: true,
}
const draft2019: Draft = { ...draft2020, containsEvaluates: false }
const draft7: Draft = { ...draft2019, ignoresBesideRef: true }
const draft4: Draft = { ...draft7, idKeyword: 'id', hasExclusiveFlags: true }

/** The draft for each part of a `$schema` URI. */
const drafts: readonly [part: string, draft: Draft][] = [
  ['draft-04', draft4],
  ['draft-06', draft7],
  ['draft-07', draft7],
  ['2019-09', draft2019],
  ['2020-12', draft2020],
]

/** Returns the draft that `$schema` names, otherwise the draft of the enclosing schema, otherwise 2020-12. */
export function draftOf(schema: unknown, outer: Draft = draft2020): Draft {
  const uri = isRecord(schema) ? schema['$schema'] : undefined
  return drafts.find(([part]) => typeof uri === 'string' && uri.includes(part))?.[1] ?? outer
}
