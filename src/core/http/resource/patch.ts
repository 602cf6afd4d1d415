import {
  clone,
  define,
  isRecord,
  type Json,
  type JsonRecord,
  ownValue,
  isSame,
} from '../../json/json.ts'
import { asRecord, mediaType, recordTypes, bodyTooLarge, invalidBody } from './body.ts'
import type { Limits } from '../contract/limits.ts'
import type { MockRequest } from '../contract/messages.ts'
import { MockError } from '../../errors/mock-error.ts'
import { fromToken, toPointer } from '../../json/pointer.ts'

/** Parses a PATCH: shallow merge, merge patch (RFC 7396) or JSON Patch (RFC 6902). @throws MockError 400 */
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

/** The media types of a PATCH, as `Accept-Patch` lists them (RFC 5789 §3.1). */
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

/** Parses a JSON Patch (RFC 6902), which applies as a whole. @throws MockError 400 if malformed, 413 if too long */
export function parsePatch(body: Json, limits: Limits): Patch {
  if (!Array.isArray(body)) throw malformed('it is no list of operations')
  if (body.length > maxOperations) throw bodyTooLarge(maxOperations, 'operations')
  const operations = body.map(parseOperation)
  return (record) => {
    // The operations change one copy in place.
    const document = { root: clone<Json>(record), copied: 0, limits }
    for (const operation of operations) steps[operation.op]?.(document, operation)
    if (!isRecord(document.root)) throw conflict('no object would be left')
    return document.root
  }
}

/** Returns a changed copy of a record. A JSON Patch that does not apply to it throws a MockError 409. */
export type Patch = (record: JsonRecord) => JsonRecord

/** The most operations of a patch, as each may move a whole array. */
const maxOperations = 1000

/** The most characters that a patch may copy, as copies of copies exhaust memory; a deeper move counts each part. */
const maxCopied = 1_000_000

/** Moving an array element costs a 512th of copying a character. */
const elementsPerCharacter = 512

/** A parsed operation (RFC 6902 §4). */
interface Operation {
  op: string
  path: string[]
  from: string[]
  value: Json
}

interface Document {
  root: Json
  /** The number of characters copied so far. */
  copied: number
  limits: Limits
}

const steps: Record<string, (document: Document, operation: Operation) => void> = {
  add: (document, { path, value }) => add(document, path, clone(value)),
  remove: (document, { path }) => remove(document, path),
  replace(document, { path, value }) {
    get(document, path)
    checkDepth(document, path, value)
    if (path.length === 0) document.root = clone(value)
    else define(parentOf(document, path) as JsonRecord, keyOf(path), clone(value))
  },
  move(document, { from, path }) {
    const value = get(document, from)
    if (from.every((token, at) => token === path[at])) {
      if (from.length === path.length) return
      throw conflict(`"${toPointer(from)}" cannot move into itself`)
    }
    remove(document, from)
    add(document, path, value, from.length)
  },
  copy(document, { from, path }) {
    const value = get(document, from)
    count(document, JSON.stringify(value).length)
    add(document, path, clone(value))
  },
  test(document, { path, value }) {
    if (!isSame(get(document, path), value))
      throw conflict(`the test of "${toPointer(path)}" failed`)
  },
}

function parseOperation(operation: Json): Operation {
  if (!isRecord(operation)) throw malformed('an operation is no object')
  const { op, path, from, value } = operation
  if (typeof op !== 'string' || !Object.hasOwn(steps, op)) {
    throw malformed(`there is no operation ${JSON.stringify(op) ?? 'without a name'}`)
  }
  const hasFrom = op === 'move' || op === 'copy'
  if (value === undefined && !hasFrom && op !== 'remove') throw malformed(`"${op}" has no value`)
  return {
    op,
    path: parsePointer(path, op),
    from: hasFrom ? parsePointer(from, op) : [],
    value: value ?? null,
  }
}

/** Parses a JSON Pointer (RFC 6901 §3). */
function parsePointer(pointer: Json | undefined, op: string): string[] {
  if (pointer === '') return []
  if (typeof pointer !== 'string' || !pointer.startsWith('/') || /~(?![01])/.test(pointer)) {
    throw malformed(`"${op}" has no JSON Pointer where one belongs`)
  }
  return pointer.slice(1).split('/').map(fromToken)
}

function get({ root }: Document, path: readonly string[]): Json {
  let value: Json | undefined = root
  for (const token of path) {
    value = Array.isArray(value)
      ? value[indexOf(token, value.length - 1)]
      : isRecord(value)
        ? ownValue(value, token)
        : undefined
    if (value === undefined) throw missing(path)
  }
  return value
}

function parentOf(document: Document, path: readonly string[]): Json[] | JsonRecord {
  const parent = get(document, path.slice(0, -1))
  if (Array.isArray(parent) || isRecord(parent)) return parent
  throw missing(path)
}

/** Adds a value, and checks the nesting unless the value was at least as deep before. */
function add(document: Document, path: readonly string[], value: Json, depth = -1): void {
  if (path.length > depth) checkDepth(document, path, value)
  if (path.length === 0) {
    document.root = value
    return
  }
  const parent = parentOf(document, path)
  const key = keyOf(path)
  if (!Array.isArray(parent)) return define(parent, key, value)
  const at = key === '-' ? parent.length : indexOf(key, parent.length)
  if (at < 0) throw missing(path)
  count(document, parent.length / elementsPerCharacter)
  parent.splice(at, 0, value)
}

function remove(document: Document, path: readonly string[]): void {
  if (path.length === 0) throw conflict('no object would be left')
  get(document, path)
  const parent = parentOf(document, path)
  if (Array.isArray(parent)) {
    count(document, parent.length / elementsPerCharacter)
    parent.splice(Number(keyOf(path)), 1)
  } else delete parent[keyOf(path)]
}

/** Returns the array index of a token (RFC 6901 §4: no leading zeros), or -1. */
function indexOf(token: string, last: number): number {
  return /^(?:0|[1-9]\d{0,9})$/.test(token) && Number(token) <= last ? Number(token) : -1
}

function keyOf(path: readonly string[]): string {
  return path.at(-1) ?? ''
}

function count(document: Document, size: number): void {
  document.copied += size
  if (document.copied > maxCopied) throw bodyTooLarge(maxCopied, 'characters to copy')
}

function checkDepth(document: Document, { length }: readonly string[], value: Json): void {
  if (!isDeeper(document, value, length)) return
  throw conflict(`it would be nested deeper than ${document.limits.maxDepth}`)
}

function isDeeper(document: Document, value: Json, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  count(document, 1)
  return (
    depth >= document.limits.maxDepth ||
    Object.values(value).some((inner) => isDeeper(document, inner, depth + 1))
  )
}

function missing(path: readonly string[]): MockError {
  return conflict(`there is no "${toPointer(path)}"`)
}

function malformed(reason: string): MockError {
  return invalidBody(reason, 'Please send a JSON Patch (RFC 6902).')
}

/** Creates the error for a patch that does not apply to the stored record (RFC 5789 §2.2). */
function conflict(reason: string): MockError {
  return new MockError(`Failed to apply the patch: ${reason}. Please read the record again.`, {
    status: 409,
    code: 'PATCH_CONFLICT',
  })
}
