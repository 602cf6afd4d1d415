import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { IdOption } from '../../core/fixtures/id-field.ts'
import { isSame, type Json } from '../../core/json/json.ts'
import { type Diagnostic, isError, type Source } from '../../core/fixtures/source.ts'
import { folderOf } from '../../core/text/foreign-keys.ts'
import {
  diagnose,
  diagnoseEncoding,
  diagnoseNumbers,
  diagnoseSkipped,
  diagnoseSyntax,
} from '../check/diagnose.ts'
import { findLostDigits, mayLoseDigits } from '../check/lost-digits.ts'
import type { FixtureFile } from '../discover/discover.ts'
import { importData, type Imported } from './import-data.ts'
import { parseText } from '../text/parse.ts'
import { findPathProblem } from '../discover/path-problem.ts'
import type { Problem } from '../check/problem.ts'
import { findShapeProblems, findUnrepresentable } from '../check/resource-problems.ts'
import {
  type FileResource,
  findDatabaseHint,
  isDatabase,
  isFolderDatabase,
  splitDatabase,
  toFileResource,
} from './database-file.ts'
import { digest, readStable, type Stamp, type StableRead } from './stable-read.ts'

/**
 * Reads and checks a fixture file. If the file has an error now, the resources of `before` stay; if its bytes
 * are the same, the result has the same objects as `before`.
 */
export async function readFixture(
  file: FixtureFile,
  id: IdOption | undefined,
  before?: LoadedFile,
): Promise<LoadedFile> {
  let read: StableRead
  try {
    // A saved file is read at once: an asynchronous read of 5 MB makes twelve round trips through
    // Node's thread pool, which take longer than the read.
    read = await readStable(file.path, before ? Infinity : undefined)
  } catch (error) {
    const diagnostics = [await findPathProblem(file.path, file.label, error)]
    const drafts = toDrafts(file, before)
    const kept = lastGood(file, before)
    return { ...file, ...kept, stamp: undefined, hash: '', drafts, diagnostics }
  }
  const { stamp, bytes } = read
  const hash = digest(bytes)
  if (before?.hash === hash) return { ...before, stamp }
  const isImported = /\.[cm]?js$/i.test(file.path) && isUtf8(bytes)
  const exported = isImported ? await importData(file.path, hash) : undefined
  return { ...parseFixture(file, bytes, id, before, exported), stamp, hash }
}

/**
 * Parses and checks the bytes of a file. A source with the same data as in `before` keeps its value, so that
 * only changed resources are published. `imported` is the value of a module.
 */
export function parseFixture(
  file: FixtureFile,
  bytes: Buffer,
  id: IdOption | undefined,
  before?: LoadedFile,
  imported?: Imported,
): Omit<LoadedFile, 'stamp' | 'hash'> {
  const { kind, sources, schema, diagnostics } = parseContent(file, bytes, id, imported)
  const drafts = sources?.map((source) => keepEqual(source, before)) ?? toDrafts(file, before)
  const good = diagnostics.some(isError)
    ? lastGood(file, before)
    : { kind: kind ?? file.kind, sources: drafts, schema }
  return { ...file, ...good, drafts, diagnostics }
}

/** The source of the read before if the data is the same, otherwise the new source. */
function keepEqual(source: Source, before: LoadedFile | undefined): Source {
  const old = before?.sources.find(({ file }) => file === source.file)
  return old && isSame(old.value, source.value) ? old : source
}

/** A fixture file after its last read: its resources and problems, and the stamp and hash of its content. */
export interface LoadedFile extends FixtureFile {
  /** The stamp from just before the last read; undefined if the file could not be read. */
  stamp: Stamp | undefined
  /** The digest of the bytes, which shows whether a file with a new stamp has changed; empty if unreadable. */
  hash: string
  /** The resources of the last read without an error; empty if there was no such read. */
  sources: Source[]
  /**
   * The resources of the last read, also with errors, for checks across files. The value is null if the
   * file did not parse.
   */
  drafts: Source[]
  /** The JSON Schema of a schema file; of types, the schemas by resource. */
  schema?: Json | undefined
  /** The problems of the last read. If they include an error, `sources` are from an earlier read. */
  diagnostics: Diagnostic[]
}

function lastGood(
  file: FixtureFile,
  before: LoadedFile | undefined,
): Pick<LoadedFile, 'kind' | 'sources' | 'schema'> {
  return { kind: before?.kind ?? file.kind, sources: before?.sources ?? [], schema: before?.schema }
}

/** Reads the text of a loaded file again, for the positions in messages; undefined for a module. */
export async function readText(file: FixtureFile): Promise<string | undefined> {
  return isProgram(file) ? undefined : readFile(file.path).then(toText, () => undefined)
}

/** The path of keys from the root of a file to a resource. */
export function keysTo(file: FixtureFile, source: Source): string[] {
  return file.kind === 'database' ? [source.name.slice(folderOf(file.name).length)] : []
}

/** The name of the resource under a key of a database file or, without a key, in a resource file. */
export function nameAt(file: FixtureFile, key: string | undefined): string | undefined {
  if (file.kind === 'database') return key === undefined ? undefined : folderOf(file.name) + key
  return key === undefined ? file.name : undefined
}

/** Whether a file is no JSON but a program: a JavaScript module that exports its data, SQL, or types. */
export function isProgram(file: FixtureFile): boolean {
  return /\.(?:[cm]?js|sql|ts)$/i.test(file.path)
}

const isSql = (file: FixtureFile): boolean => /\.sql$/i.test(file.path)

/** The text of a file's bytes, without a byte order mark. */
export function toText(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}

interface ParsedContent {
  /** The kind of the file according to its value. */
  kind?: FixtureFile['kind']
  sources?: Source[]
  schema?: Json
  diagnostics: Diagnostic[]
}

function parseContent(
  file: FixtureFile,
  bytes: Buffer,
  id: IdOption | undefined,
  imported: Imported | undefined,
): ParsedContent {
  if (!isUtf8(bytes)) return { diagnostics: [diagnoseEncoding(file)] }
  const parsed = imported ?? parseText(toText(bytes), extname(file.path))
  if ('problem' in parsed) {
    const text = toText(bytes)
    const isEmpty = !isProgram(file) && text.trim() === ''
    const diagnostic = diagnoseSyntax(file, text, parsed)
    return { diagnostics: [isEmpty ? { ...diagnostic, isEmpty } : diagnostic] }
  }
  if (file.kind === 'schema') return { schema: parsed.value, diagnostics: [] }
  if (file.kind === 'types') {
    const tables = Object.keys(parsed.value ?? {})
    const sources = tables.map((name) => toSource(file, { name, value: [], path: [name] }))
    return { schema: parsed.value, sources, diagnostics: [] }
  }
  const { warnings = [] } = parsed
  const kind = isSql(file) ? 'database' : kindOf(file, parsed.value)
  const { resources, problems: ofFile } = toResources({ ...file, kind }, parsed.value)
  const ofResources = resources.flatMap((resource) => [
    ...findUnrepresentable(resource),
    ...findShapeProblems(resource, id),
  ])
  const problems = [...ofFile, ...ofResources]
  const text =
    isProgram(file) || (problems.length === 0 && !mayLoseDigits(bytes)) ? undefined : toText(bytes)
  const diagnostics = problems.length === 0 ? [] : diagnose(file, problems, text)
  return {
    kind,
    sources: resources.map((resource) => toSource(file, resource)),
    diagnostics: [
      ...diagnoseSkipped(file, toText(bytes), warnings),
      ...(text === undefined ? diagnostics : withNumbers(file, text, diagnostics)),
    ],
  }
}

/** Adds warnings about numbers that lose digits, except where another problem is reported. */
function withNumbers(file: FixtureFile, text: string, diagnostics: Diagnostic[]): Diagnostic[] {
  const numbers = diagnoseNumbers(file, text, findLostDigits(text))
  const isNew = ({ line, column }: Diagnostic): boolean =>
    diagnostics.every((one) => one.line !== line || one.column !== column)
  return [...diagnostics, ...numbers.filter(isNew)]
}

function kindOf({ name, named }: FixtureFile, value: Json): FixtureFile['kind'] {
  const hasResources =
    named === undefined ? isFolderDatabase(name, value) : isDatabase(name, value, named === 'alone')
  return hasResources ? 'database' : 'resource'
}

function toResources(
  file: FixtureFile,
  value: Json,
): { resources: FileResource[]; problems: Problem[] } {
  if (file.kind === 'database') return splitDatabase(value, folderOf(file.name))
  const resource = toFileResource(file.name, value)
  return { resources: [resource], problems: findDatabaseHint(resource, file.label) }
}

/** The resource of a file that cannot be read: a file in a folder is named after its resource. */
function toDrafts(file: FixtureFile, before: LoadedFile | undefined): Source[] {
  const { kind } = before ?? file
  return kind === 'resource' ? [toSource(file, toFileResource(file.name, null))] : []
}

function toSource(file: FixtureFile, { name, value, path }: FileResource): Source {
  const [key] = path
  return { name, value, file: key === undefined ? file.label : `${file.label}#${key}` }
}
