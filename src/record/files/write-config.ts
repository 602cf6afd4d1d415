import { readFile } from 'node:fs/promises'
import { basename, extname, join, relative, sep } from 'node:path'
import { isRecord, isSame, type Json, type JsonRecord } from '../../core/json/json.ts'
import type { Question } from '../../core/learn/learned.ts'
import { listConfigFiles } from '../../load/config/config-file.ts'
import { createFixtureText } from '../../loader/persist/patch-text.ts'
import { parseText } from '../../loader/text/parse.ts'
import { childSpans, rootSpan } from '../../loader/text/spans.ts'
import { digestOf } from '../../core/learn/recorded/stored-answer.ts'
import type { WrittenDigests } from './state.ts'
import type { PlannedFile } from './write-file.ts'

/** Merges learned options into the configuration; edits by hand stay. Options that a module lacks become questions. */
export async function planConfig(
  learned: JsonRecord,
  evidence: Evidence,
  { config: before, layout }: Pick<WrittenDigests, 'config' | 'layout'>,
  { folder, out, labelOf, base }: ConfigTarget,
): Promise<PlannedConfig> {
  const [name, ...others] = await listConfigFiles(folder)
  const fixtures = toFixturesOption(folder, out)
  const options: JsonRecord = { ...(fixtures !== undefined && { fixtures }), ...learned }
  if (name === undefined) {
    if (Object.keys(options).length === 0) return { written: {}, files: [], questions: [] }
    const text = toConfigText(options, evidence)
    const file = { path: join(folder, newFile), text }
    return { written: options, layout: digestOf(text), files: [file], questions: [] }
  }
  const path = join(folder, name)
  const text = await readFile(path, 'utf8')
  const read =
    /^\.json[c5]?$/.test(extname(name)) && others.length === 0 ? parse(text, name) : undefined
  if (!read) {
    const questions = Object.entries(options).map(([key, value]) => ({
      text: `${labelOf(path)} is not edited by the recorder. It may need "${key}".`,
      option: `${key}: ${JSON.stringify(value)}`,
    }))
    return { written: before, files: [], questions }
  }
  const merged = mergeConfig(read, before, options, base)
  if (digestOf(text) === layout) {
    const rewritten = toConfigText(inOrderOf(merged, options), evidence)
    const files = rewritten === text ? [] : [{ path, text: rewritten }]
    return { written: options, layout: digestOf(rewritten), files, questions: [] }
  }
  if (isSame(merged, read)) return { written: options, layout, files: [], questions: [] }
  // JSON has no comments.
  const known: Evidence = extname(name) === '.json' ? new Map() : evidence
  const file = { path, text: updateConfigText(text, read, merged, known) }
  return { written: options, files: [file], questions: [] }
}

/** The place of the configuration file that a recording writes. */
export interface ConfigTarget {
  folder: string
  out: string
  labelOf(path: string): string
  /** The options that earlier recordings have written; undefined to keep all that were written. */
  base?: JsonRecord | undefined
}

/** The result of {@link planConfig}. */
export interface PlannedConfig {
  /** The options of the file as a recording has written them, for the next recording. */
  written: JsonRecord
  layout?: string | undefined
  /** The configuration file, unless it stays as it is. */
  files: PlannedFile[]
  questions: Question[]
}

const newFile = 'mock.config.jsonc'

/** Reads the options of the only configuration file of a folder, if it is JSON. */
export async function readConfigOptions(folder: string): Promise<JsonRecord | undefined> {
  const [name, ...others] = await listConfigFiles(folder)
  const isJson = name !== undefined && /^\.json[c5]?$/.test(extname(name)) && others.length === 0
  return isJson ? parse(await readFile(join(folder, name), 'utf8'), name) : undefined
}

function parse(text: string, name: string): JsonRecord | undefined {
  const read = parseText(text, extname(name))
  const value: Json | undefined = 'value' in read ? read.value : undefined
  return isRecord(value) ? value : undefined
}

function toFixturesOption(folder: string, out: string): string | undefined {
  const path = relative(folder, out).split(sep).join('/')
  return path === 'fixtures' ? undefined : `./${path === '' ? basename(out) : path}`
}

/** Writes the text of a new configuration file: one option a line, each below a comment with its evidence. */
export function toConfigText(config: JsonRecord, evidence: Evidence): string {
  const lines = writeObject(config, [], evidence, '  ')
  return `// Written from a recording. Edits stay; a new recording updates the other options.\n${lines}\n`
}

/** Changes values in the text of a configuration; keeps comments and layout. */
export function updateConfigText(
  text: string,
  value: JsonRecord,
  next: JsonRecord,
  evidence: Evidence,
): string {
  const updated = createFixtureText(text, value)
  if (!updated.update(next)) return text
  const changed = Array.from(updated.pieces()).join('')
  return Object.keys(next)
    .filter((key) => !Object.hasOwn(value, key))
    .reduce((commented, key) => addComment(commented, key, evidence.get(key)), changed)
}

/**
 * Merges learned options into those of a file: an option that was edited by hand since `written` stays. With `base`, the
 * options of earlier recordings, an option that this recording has written and learned no more is removed.
 */
export function mergeConfig(
  existing: JsonRecord,
  written: JsonRecord,
  learned: JsonRecord,
  base?: JsonRecord,
): JsonRecord {
  const merged: JsonRecord = { ...existing }
  for (const key of new Set([...Object.keys(written), ...Object.keys(learned)])) {
    const [now, before, next] = [existing[key], written[key], learned[key]]
    const earlier = base?.[key]
    if (isRecord(now) && isRecord(before ?? {}) && isRecord(next)) {
      const inner = base && (isRecord(earlier) ? earlier : {})
      merged[key] = mergeConfig(now, isRecord(before) ? before : {}, next, inner)
    } else if (isSame(now, before)) {
      if (next !== undefined) merged[key] = next
      else if (base && earlier === undefined) delete merged[key]
    }
  }
  return merged
}

/** Returns options in the order of others, at any depth: a recording writes the order that an import writes. */
function inOrderOf(options: JsonRecord, others: JsonRecord): JsonRecord {
  const keys = new Set([...Object.keys(others), ...Object.keys(options)])
  return Object.fromEntries(
    [...keys].flatMap((key): [string, Json][] => {
      const [value, other] = [options[key], others[key]]
      if (value === undefined) return []
      return [[key, isRecord(value) && isRecord(other) ? inOrderOf(value, other) : value]]
    }),
  )
}

/** The reason for each learned option, by the keys of the option joined with dots: `dialect.rest.list`. */
export type Evidence = ReadonlyMap<string, string>

/** The members that hold several options, each with evidence. */
const nested = new Set(['id', 'relations', 'resources', 'dialect', 'use'])

function writeObject(
  value: JsonRecord,
  path: readonly string[],
  evidence: Evidence,
  indent: string,
): string {
  const members = Object.entries(value).map(([key, inner]) => {
    const at = [...path, key]
    const why = evidence.get(at.join('.'))
    const comment =
      why === undefined ? '' : `${indent}// ${why.replaceAll('\n', `\n${indent}// `)}\n`
    const isOpen = isRecord(inner) && nested.has(at[0] ?? '') && at.length < 3
    const line = JSON.stringify(inner, null, 1).replaceAll(/\n\s*/g, ' ')
    // Lines have at most 100 characters.
    const isLong = isRecord(inner) && indent.length + key.length + line.length > 95
    const text = isOpen || isLong ? writeObject(inner, at, evidence, `${indent}  `) : line
    return `${comment}${indent}${JSON.stringify(key)}: ${text}`
  })
  return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n${indent.slice(2)}}`
}

function addComment(text: string, key: string, why: string | undefined): string {
  if (why === undefined) return text
  const span = childSpans(text, rootSpan(text).start).find((child) => child.key === key)
  if (!span) return text
  const lineStart = text.lastIndexOf('\n', span.keyStart) + 1
  const indent = text.slice(lineStart, span.keyStart)
  if (indent.trim() !== '') return text
  return `${text.slice(0, lineStart)}${indent}// ${why}\n${text.slice(lineStart)}`
}
