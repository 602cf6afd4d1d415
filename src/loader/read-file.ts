import { isUtf8 } from 'node:buffer'
import { readFile, stat } from 'node:fs/promises'
import { extname } from 'node:path'
import type { IdOption } from '../core/id-field.ts'
import type { Json } from '../core/json.ts'
import type { Diagnostic, Source } from '../core/source.ts'
import { diagnose, diagnoseSyntax } from './diagnose.ts'
import { digest } from './digest.ts'
import type { FixtureFile } from './discover.ts'
import { importData } from './import-data.ts'
import { parseText } from './parse.ts'
import { findProblem } from './path-problem.ts'
import {
  findDatabaseHint,
  findShapeProblems,
  splitDatabase,
  toPart,
  type Part,
  type Problem,
} from './shape.ts'
import { isSameStamp, toStamp, type Stamp } from './stamp.ts'

/** A fixture file as it was last read. */
export interface LoadedFile extends FixtureFile {
  /** What the disk said about the file just before it was read; undefined where it could not be read. */
  stamp: Stamp | undefined
  /** A digest of the bytes, to tell a changed file from a touched one. */
  hash: string
  /** What the last good read held; empty if there was none. */
  sources: Source[]
  /** What the last read held, sound or not, for checks across files; null where it did not parse. */
  drafts: Source[]
  /** The JSON Schema, if it is one. */
  schema?: Json
  /** The problems of the last read. With an error among them, `sources` are those of the read before. */
  diagnostics: Diagnostic[]
}

/**
 * Reads and checks one file. What the read before held stays where the file has an error now,
 * and keeps its identity where the bytes have not changed.
 */
export async function readFixture(
  file: FixtureFile,
  id: IdOption | undefined,
  before?: LoadedFile,
): Promise<LoadedFile> {
  const kept = {
    sources: before?.sources ?? [],
    ...(before?.schema === undefined ? {} : { schema: before.schema }),
  }
  let stamp: Stamp
  let bytes: Buffer
  try {
    ;({ stamp, bytes } = await readWhole(file.path))
  } catch (error) {
    const diagnostics = [await findProblem(file.path, file.label, error)]
    return { ...file, ...kept, stamp: undefined, hash: '', drafts: toDrafts(file), diagnostics }
  }
  const hash = digest(bytes)
  if (before?.hash === hash) return { ...before, stamp }
  const { sources, schema, diagnostics } = await readContent(file, bytes, hash, id)
  const drafts = sources ?? toDrafts(file)
  const isBroken = diagnostics.some((diagnostic) => diagnostic.severity === 'error')
  const sound = isBroken ? kept : { sources: drafts, ...(schema === undefined ? {} : { schema }) }
  return { ...file, ...sound, stamp, hash, drafts, diagnostics }
}

/** Reads a file, once more where it was written to meanwhile: what was read then may be half a save. */
async function readWhole(path: string, attempts = 5): Promise<{ stamp: Stamp; bytes: Buffer }> {
  const stats = await stat(path)
  if (!stats.isFile()) throw new Error('it is not a regular file')
  const stamp = toStamp(stats)
  const bytes = await readFile(path)
  const isWhole = attempts <= 1 || isSameStamp(stamp, toStamp(await stat(path)))
  return isWhole ? { stamp, bytes } : readWhole(path, attempts - 1)
}

/** The text of a loaded file once more, for messages; what a module exports stands in no text. */
export async function readText(file: FixtureFile): Promise<string | undefined> {
  return isModule(file) ? undefined : readFile(file.path).then(toText, () => undefined)
}

/** The keys that lead to a resource inside its file. */
export function keysTo(file: FixtureFile, source: Source): string[] {
  return file.kind === 'database' ? [source.name] : []
}

/** Whether the file is a program that makes its data. */
export function isModule(file: FixtureFile): boolean {
  return /\.m?js$/i.test(file.path)
}

/** The text of a file's bytes, without a byte order mark. */
function toText(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}

interface Content {
  sources?: Source[]
  schema?: Json
  diagnostics: Diagnostic[]
}

async function readContent(
  file: FixtureFile,
  bytes: Buffer,
  hash: string,
  id: IdOption | undefined,
): Promise<Content> {
  if (!isUtf8(bytes)) {
    const message = `Failed to read "${file.label}": it is not UTF-8 text.`
    const advice = 'Please save it as UTF-8.'
    return { diagnostics: [{ severity: 'error', file: file.label, message, advice }] }
  }
  const text = toText(bytes)
  const extension = extname(file.path)
  const parsed = isModule(file) ? await importData(file.path, hash) : parseText(text, extension)
  if ('problem' in parsed) {
    return { diagnostics: [diagnoseSyntax(file, text, parsed)] }
  }
  if (file.kind === 'schema') return { schema: parsed.value, diagnostics: [] }
  const { parts, problems } = split(file, parsed.value)
  for (const part of parts) problems.push(...findShapeProblems(part, id))
  return {
    sources: parts.map((part) => toSource(file, part)),
    diagnostics:
      problems.length === 0 ? [] : diagnose(file, problems, isModule(file) ? undefined : text),
  }
}

function split(file: FixtureFile, value: Json): { parts: Part[]; problems: Problem[] } {
  if (file.kind === 'database') return splitDatabase(value)
  const part = toPart(file.name, value)
  return { parts: [part], problems: findDatabaseHint(part, file.label) }
}

/** A file in a folder names its resource even when nothing else of it can be read. */
function toDrafts(file: FixtureFile): Source[] {
  return file.kind === 'resource' ? [toSource(file, toPart(file.name, null))] : []
}

function toSource(file: FixtureFile, part: Part): Source {
  const key = part.path[0]
  return {
    name: part.name,
    value: part.value,
    source: key === undefined ? file.label : `${file.label}#${key}`,
  }
}
