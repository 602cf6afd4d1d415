import { statSync } from 'node:fs'
import { extname } from 'node:path'
import { idFieldOf, type IdOption } from '../../core/fixtures/id-field.ts'
import { isRecord, type Json, ownValue } from '../../core/json/json.ts'
import type { Source } from '../../core/fixtures/source.ts'
import { toFileContent, type OutlinedBytes } from '../read/file-content.ts'
import { isJson, tryParse } from '../text/parse.ts'
import { isModule, nameAt, parseFixture, toText, type LoadedFile } from '../read/read-file.ts'
import { findLostDigits, mayLoseDigits } from '../check/lost-digits.ts'
import { findShapeProblems } from '../check/shape.ts'
import { findUnrepresentable } from '../check/unrepresentable.ts'
import { isSameStamp, toStamp, type Stamp } from '../read/stamp.ts'
import { readStableSync } from '../read/stable-read.ts'
import { parseIncrementally, type ListSplice } from './incremental-parse.ts'
import { reuseSources, reuseValue } from './reuse-values.ts'

/**
 * Checks one watched file after an event: reads the file again, synchronously. Returns undefined if a full
 * scan has to follow: the file is gone, has other resources than before, or has an error. `halfWritten` is the
 * stamp (the metadata from `stat`) at which the last check found the file half-written. With
 * `mayHaveSameStamp`, an equal stamp does not prove equal bytes.
 */
export function checkFile(
  before: LoadedFile,
  id: IdOption | undefined,
  { halfWritten, mayHaveSameStamp = false }: CheckOptions = {},
): FileCheck | undefined {
  if (!isCheckable(before) || !before.stamp) return undefined
  const stats = statSync(before.path, { throwIfNoEntry: false })
  if (!stats?.isFile()) return undefined
  const stamp = toStamp(stats)
  if (!mayHaveSameStamp && isSameStamp(stamp, before.stamp)) return { file: before }
  if (halfWritten && isSameStamp(stamp, halfWritten)) return { halfWritten }
  const bytes = tryRead(before.path, stamp)
  if (!bytes) return { halfWritten: stamp }
  if (before.content.matches(bytes)) return { file: { ...before, stamp } }
  return isWhole(before, bytes) ? parse(before, bytes, stamp, id) : { halfWritten: stamp }
}

/** Computes the outline of a file before the next check of the file needs it. */
export function computeOutline(file: LoadedFile): void {
  if (isCheckable(file)) outlineOf(file)
}

/** The file as it is now or, if its content may be half-written, the stamp of that content. */
type FileCheck = { file: LoadedFile } | { halfWritten: Stamp }

interface CheckOptions {
  halfWritten?: Stamp | undefined
  mayHaveSameStamp?: boolean
}

/** The bytes of the last read with their outline; undefined if they were not JSON without problems. */
function outlineOf({ path, diagnostics, content }: LoadedFile): OutlinedBytes | undefined {
  return isJson(extname(path)) && diagnostics.length === 0 ? content.outlined() : undefined
}

function isCheckable(file: LoadedFile): boolean {
  return file.kind !== 'schema' && file.scenario === undefined && !isModule(file)
}

function tryRead(path: string, stamp: Stamp): Buffer | undefined {
  try {
    return readStableSync(path, stamp)?.bytes
  } catch {
    return undefined
  }
}

/**
 * Whether a JSON text ends with the bracket that closes its first. Half-written text seldom does, and the
 * test is cheaper than parsing.
 */
function isWhole({ path }: LoadedFile, bytes: Buffer): boolean {
  if (!isJson(extname(path))) return true
  const open = toText(bytes.subarray(0, EDGE)).trimStart()[0] ?? ''
  const close = bytes
    .toString('latin1', Math.max(0, bytes.length - EDGE))
    .trimEnd()
    .at(-1)
  return close === undefined || close === (closing[open] ?? close)
}

const EDGE = 64
const closing: Record<string, string> = { '[': ']', '{': '}' }

function parse(
  before: LoadedFile,
  bytes: Buffer,
  stamp: Stamp,
  id: IdOption | undefined,
): FileCheck | undefined {
  const outlined = outlineOf(before)
  const splice = outlined && parseIncrementally(outlined, bytes, (key) => listOf(before, key))
  const sources = splice && spliceSources(before, splice, id)
  if (sources) {
    const content = toFileContent(bytes, splice.outline)
    return { file: { ...before, stamp, content, sources, drafts: sources } }
  }
  const parsed = tryParse(toText(bytes), extname(before.path))
  if (!parsed) return { halfWritten: stamp }
  const now = {
    ...parseFixture(before, bytes, id, before, parsed),
    stamp,
    content: toFileContent(bytes),
  }
  if (now.diagnostics.length > 0 || !haveSameNames(before.sources, now.sources)) return undefined
  return { file: reuseSources(now, before) }
}

/** The old list under a key of a file, or the list that is the whole file; undefined if it is not served. */
function listOf(file: LoadedFile, key: string | undefined): Json[] | undefined {
  const name = nameAt(file, key)
  const { value } = file.sources.find((source) => source.name === name) ?? {}
  return Array.isArray(value) ? value : undefined
}

/** The sources with one list spliced; undefined if the result has a problem. */
function spliceSources(
  file: LoadedFile,
  { key, from, to, values, bytes }: ListSplice,
  id: IdOption | undefined,
): Source[] | undefined {
  if (mayLoseDigits(bytes) && findLostDigits(toText(bytes)).length > 0) return undefined
  // With other values, a file in a folder may no longer be a database.
  if (file.kind === 'database' && !file.named && !values.every(isRecord)) return undefined
  const { sources } = file
  const name = nameAt(file, key)
  const at = sources.findIndex((source) => source.name === name)
  const source = sources[at]
  if (!source || !Array.isArray(source.value)) return undefined
  const before = source.value
  const replaced = before.slice(from, to)
  const reused = reuseValue(replaced, values)
  if (reused === replaced) return sources
  const value = before.slice(0, from).concat(reused, before.slice(to))
  const spliced = { ...source, value }
  return hasNoProblem(spliced, replaced, values, id) ? sources.with(at, spliced) : undefined
}

/** Whether a list that had no problem still has no problem after `now` has replaced `before` in the list. */
function hasNoProblem(
  { name, value }: Source,
  before: readonly Json[],
  now: readonly Json[],
  id: IdOption | undefined,
): boolean {
  if (findUnrepresentable({ name, value: [...now], path: [] }).length > 0) return false
  const field = idFieldOf(id, name)
  const hasSameIds = now.every((record, at) => {
    const other = before[at]
    return isRecord(record) && isRecord(other) && ownValue(record, field) === ownValue(other, field)
  })
  return hasSameIds || findShapeProblems({ name, value, path: [] }, id).length === 0
}

function haveSameNames(a: readonly Source[], b: readonly Source[]): boolean {
  return a.length === b.length && a.every(({ file }, at) => file === b[at]?.file)
}
