import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { IdOption } from '../../core/fixtures/id-field.ts'
import type { Json } from '../../core/json/json.ts'
import { type Diagnostic, isError, type Source } from '../../core/fixtures/source.ts'
import { diagnose, diagnoseEncoding, diagnoseSyntax } from '../check/diagnose.ts'
import type { FixtureFile } from '../discover/discover.ts'
import { importData, type Imported } from './import-data.ts'
import { toImprint, unread, type Imprint } from './file-content.ts'
import { parseText } from '../text/parse.ts'
import { findProblem } from '../discover/path-problem.ts'
import {
  findDatabaseHint,
  findShapeProblems,
  splitDatabase,
  toPart,
  type Part,
  type Problem,
} from '../check/shape.ts'
import { findUnheld } from '../check/unrepresentable.ts'
import type { Stamp } from './stamp.ts'
import { readWhole, type Whole } from './stable-read.ts'

/** A fixture file as it was last read. */
export interface LoadedFile extends FixtureFile {
  /** What the disk said about the file just before it was read; undefined where it could not be read. */
  stamp: Stamp | undefined
  /** What its bytes were; it stays the same one as long as they do. */
  imprint: Imprint
  /** What the last good read held; empty if there was none. */
  sources: Source[]
  /** What the last read held, sound or not, for checks across files; null where it did not parse. */
  drafts: Source[]
  /** The JSON Schema, if it is one. */
  schema?: Json | undefined
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
  let whole: Whole
  try {
    whole = await readWhole(file.path)
  } catch (error) {
    const diagnostics = [await findProblem(file.path, file.label, error)]
    const drafts = toDrafts(file)
    return { ...file, ...toKept(before), stamp: undefined, imprint: unread, drafts, diagnostics }
  }
  const { stamp, bytes } = whole
  if (before?.imprint.isOf(bytes)) return { ...before, stamp }
  const imprint = toImprint(bytes)
  const hash = isModule(file) && isUtf8(bytes) ? imprint.hash() : undefined
  const exported = hash === undefined ? undefined : await importData(file.path, hash)
  return { ...take(file, bytes, id, before, exported), stamp, imprint }
}

/** Takes what the bytes of a file say, or what it is known to hold. */
export function take(
  file: FixtureFile,
  bytes: Buffer,
  id: IdOption | undefined,
  before?: LoadedFile,
  known?: Imported,
): Omit<LoadedFile, 'stamp' | 'imprint'> {
  const { sources, schema, diagnostics } = toContent(file, bytes, id, known)
  const drafts = sources ?? toDrafts(file)
  const sound = diagnostics.some(isError) ? toKept(before) : { sources: drafts, schema }
  return { ...file, ...sound, drafts, diagnostics }
}

function toKept(before: LoadedFile | undefined): Pick<LoadedFile, 'sources' | 'schema'> {
  return { sources: before?.sources ?? [], schema: before?.schema }
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
export function toText(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}

interface Content {
  sources?: Source[]
  schema?: Json
  diagnostics: Diagnostic[]
}

function toContent(
  file: FixtureFile,
  bytes: Buffer,
  id: IdOption | undefined,
  known: Imported | undefined,
): Content {
  if (!isUtf8(bytes)) return { diagnostics: [diagnoseEncoding(file)] }
  const parsed = known ?? parseText(toText(bytes), extname(file.path))
  if ('problem' in parsed) {
    return { diagnostics: [diagnoseSyntax(file, toText(bytes), parsed)] }
  }
  if (file.kind === 'schema') return { schema: parsed.value, diagnostics: [] }
  const { parts, problems } = split(file, parsed.value)
  for (const part of parts) {
    problems.push(...findUnheld(part), ...findShapeProblems(part, id))
  }
  return {
    sources: parts.map((part) => toSource(file, part)),
    diagnostics:
      problems.length === 0
        ? []
        : diagnose(file, problems, isModule(file) ? undefined : toText(bytes)),
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
