import { clone, define, isRecord, type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import { asRecord, mediaType, recordTypes } from './body.ts'
import { parsePatch, type Patch } from './json-patch.ts'
import type { Limits } from '../contract/limits.ts'
import type { MockRequest } from '../contract/messages.ts'

/**
 * Reads the body of a PATCH by its media type: a shallow merge, a merge patch (RFC 7396), or a JSON Patch
 * (RFC 6902).
 * @throws MockError 400 when the patch is malformed
 */
export function toPatch(body: Json, request: MockRequest, limits: Limits): Patch {
  const type = mediaType(request)
  if (type === 'application/json-patch+json') {
    return parsePatch(body, limits)
  }
  const fields = asRecord(body)
  return type === 'application/merge-patch+json'
    ? (record) => mergePatch(record, fields) as JsonRecord
    : (record) => ({ ...record, ...fields })
}

/**
 * The media types in which a PATCH can be sent, as the header `Accept-Patch` lists them (RFC 5789 §3.1): a
 * merge patch, a JSON Patch, and JSON or a form, whose fields are merged into the record.
 */
export const patchTypes: readonly string[] = [
  'application/json',
  'application/merge-patch+json',
  'application/json-patch+json',
  ...recordTypes.slice(1),
]

/** Applies a merge patch (RFC 7396 §2): null removes, objects merge, other values replace. */
function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isRecord(patch)) return clone(patch)
  const merged: JsonRecord = isRecord(target) ? { ...target } : {}
  for (const key of Object.keys(patch)) {
    const value = patch[key] ?? null
    const held = ownValue(merged, key)
    if (value === null) delete merged[key]
    else define(merged, key, mergePatch(held, value))
  }
  return merged
}
