import { clone, define, isRecord, type Json, type JsonRecord } from '../json.ts'
import { asRecord, mediaType } from './body.ts'
import type { MockRequest } from './messages.ts'

/** The media types that a patch may be sent as. */
export const patchTypes: readonly string[] = [
  'application/json',
  'application/merge-patch+json',
  'application/x-www-form-urlencoded',
]

/** Applies a patch by the type it was sent as: a shallow merge, or a merge patch (RFC 7396). */
export function applyPatch(record: JsonRecord, body: Json, request: MockRequest): JsonRecord {
  const patch = asRecord(body)
  if (mediaType(request) === 'application/merge-patch+json') {
    return mergePatch(record, patch) as JsonRecord
  }
  const merged: JsonRecord = { ...record }
  for (const key of Object.keys(patch)) define(merged, key, patch[key])
  return merged
}

/** Applies a merge patch (RFC 7396 §2): null removes, objects merge, the rest replaces. */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isRecord(patch)) return clone(patch)
  const merged: JsonRecord = isRecord(target) ? { ...target } : {}
  for (const key of Object.keys(patch)) {
    const value = patch[key] ?? null
    const held = Object.hasOwn(merged, key) ? merged[key] : undefined
    if (value === null) delete merged[key]
    else define(merged, key, mergePatch(held, value))
  }
  return merged
}
