import { statSync } from 'node:fs'
import { extname } from 'node:path'
import { idFieldOf, type IdOption } from '../../core/fixtures/id-field.ts'
import { isRecord, type Json, ownValue } from '../../core/json/json.ts'
import type { Source } from '../../core/fixtures/source.ts'
import { toImprint, type Imprinted } from '../read/file-content.ts'
import { isJson, tryParse } from '../text/parse.ts'
import { isModule, take, toText, type LoadedFile } from '../read/read-file.ts'
import { findShapeProblems } from '../check/shape.ts'
import { findUnheld } from '../check/unrepresentable.ts'
import { isSameStamp, toStamp, type Stamp } from '../read/stamp.ts'
import { readWholeNow } from '../read/whole.ts'
import { keepEqual, keepSame } from './change.ts'
import { resume, type Splice } from './incremental-parse.ts'

/** The file as it is now, or the stamp of what may be half a save. */
type Glimpse = { file: LoadedFile } | { half: Stamp }

/**
 * Looks at one file that is known, without a wait. Undefined where that is not enough: where the
 * file is gone, where it has come to hold other resources, or where something is wrong with it.
 */
export function glance(
  before: LoadedFile,
  id: IdOption | undefined,
  half?: Stamp,
): Glimpse | undefined {
  if (!isPlain(before) || !before.stamp) return undefined
  const stats = statSync(before.path, { throwIfNoEntry: false })
  if (!stats?.isFile()) return undefined
  const stamp = toStamp(stats)
  if (isSameStamp(stamp, before.stamp)) return { file: before }
  if (half && isSameStamp(stamp, half)) return { half }
  const bytes = tryRead(before.path, stamp)
  if (!bytes) return { half: stamp }
  if (before.imprint.isOf(bytes)) return { file: { ...before, stamp } }
  return isWhole(before, bytes) ? read(before, bytes, stamp, id) : { half: stamp }
}

/** Finds out beforehand what a glance needs to know of a file for the next save. */
export function prepare(file: LoadedFile): void {
  if (isPlain(file)) textOf(file)
}

/** What was read before, where it was sound JSON. */
function textOf({ path, diagnostics, imprint }: LoadedFile): Imprinted | undefined {
  return isJson(extname(path)) && diagnostics.length === 0 ? imprint.text() : undefined
}

function isPlain(file: LoadedFile): boolean {
  return file.kind !== 'schema' && file.scenario === undefined && !isModule(file)
}

function tryRead(path: string, stamp: Stamp): Buffer | undefined {
  try {
    return readWholeNow(path, stamp)?.bytes
  } catch {
    return undefined
  }
}

/** Whether a text ends as it begins, which half a save seldom does; it saves half a parse. */
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

function read(
  before: LoadedFile,
  bytes: Buffer,
  stamp: Stamp,
  id: IdOption | undefined,
): Glimpse | undefined {
  const text = textOf(before)
  const splice = text && resume(text, bytes, (key) => listOf(before, key))
  const sources = splice && toSources(before, splice, id)
  if (sources) {
    const imprint = toImprint(bytes, splice.outline)
    return { file: { ...before, stamp, imprint, sources, drafts: sources } }
  }
  const known = tryParse(toText(bytes), extname(before.path))
  if (!known) return { half: stamp }
  const now = { ...take(before, bytes, id, before, known), stamp, imprint: toImprint(bytes) }
  if (now.diagnostics.length > 0 || !haveSameNames(before.sources, now.sources)) return undefined
  return { file: keepSame(now, before) }
}

/** The list of a key, or the list that is all of a file, as it was; undefined where it is not served. */
function listOf({ name, sources }: LoadedFile, key: string | undefined): Json[] | undefined {
  const { value } = sources.find((source) => source.name === (key ?? name)) ?? {}
  return Array.isArray(value) ? value : undefined
}

/** The sources with one list spliced; undefined where something is wrong with it now. */
function toSources(
  { name, sources }: LoadedFile,
  { key, from, to, values }: Splice,
  id: IdOption | undefined,
): Source[] | undefined {
  const at = sources.findIndex((source) => source.name === (key ?? name))
  const source = sources[at]
  if (!source || !Array.isArray(source.value)) return undefined
  const before = source.value
  const replaced = before.slice(from, to)
  const kept = keepEqual(replaced, values)
  if (kept === replaced) return sources
  const value = before.slice(0, from).concat(kept, before.slice(to))
  const spliced = { ...source, value }
  return isSound(spliced, replaced, values, id) ? sources.with(at, spliced) : undefined
}

/** Whether nothing is wrong with a list that was sound before some elements gave way to others. */
function isSound(
  { name, value }: Source,
  before: readonly Json[],
  now: readonly Json[],
  id: IdOption | undefined,
): boolean {
  if (findUnheld({ name, value: [...now], path: [] }).length > 0) return false
  const field = idFieldOf(id, name)
  const hasSameIds = now.every((record, at) => {
    const other = before[at]
    return isRecord(record) && isRecord(other) && ownValue(record, field) === ownValue(other, field)
  })
  return hasSameIds || findShapeProblems({ name, value, path: [] }, id).length === 0
}

function haveSameNames(a: readonly Source[], b: readonly Source[]): boolean {
  return a.length === b.length && a.every(({ source }, at) => source === b[at]?.source)
}
