import { readFile } from 'node:fs/promises'
import { basename, extname, join, relative, sep } from 'node:path'
import { isRecord, isSame, type Json, type JsonRecord } from '../../core/json/json.ts'
import type { Question } from '../../core/learn/learned.ts'
import { listConfigFiles } from '../../load/config/config-file.ts'
import { parseText } from '../../loader/text/parse.ts'
import { type Evidence, mergeConfig, toConfigText, updateConfigText } from './config-text.ts'
import { writeFileAtomically } from './write-file.ts'

/**
 * Writes learned options into the configuration file of a folder, or into a new `mock.config.jsonc`. Options
 * that were edited by hand stay. A configuration that is a module is left alone, and the options that it lacks
 * are returned as questions.
 */
export async function writeConfig(
  learned: JsonRecord,
  evidence: Evidence,
  before: JsonRecord,
  { folder, out, labelOf }: ConfigTarget,
): Promise<WrittenConfig> {
  const [name, ...others] = await listConfigFiles(folder)
  const fixtures = toFixturesOption(folder, out)
  const options: JsonRecord = { ...(fixtures !== undefined && { fixtures }), ...learned }
  if (name === undefined) {
    if (Object.keys(options).length === 0) return { written: {}, files: [], questions: [] }
    const path = join(folder, newFile)
    await writeFileAtomically(path, toConfigText(options, evidence), labelOf(path))
    return { written: options, files: [labelOf(path)], questions: [] }
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
  const next = mergeConfig(read, before, options)
  if (isSame(next, read)) return { written: options, files: [], questions: [] }
  // JSON has no comments.
  const known: Evidence = extname(name) === '.json' ? new Map() : evidence
  const changed = updateConfigText(text, read, next, known)
  await writeFileAtomically(path, changed, labelOf(path))
  return { written: options, files: [labelOf(path)], questions: [] }
}

/** The place of the configuration file that a recording writes. */
export interface ConfigTarget {
  /** The folder of the file. */
  folder: string
  /** The folder of the fixtures. */
  out: string
  labelOf(path: string): string
}

/** The result of {@link writeConfig}. */
export interface WrittenConfig {
  /** The options of the file as a recording has written them, for the next recording. */
  written: JsonRecord
  files: string[]
  questions: Question[]
}

/** The file that is created if a folder has no configuration: JSON with comments. */
const newFile = 'mock.config.jsonc'

function parse(text: string, name: string): JsonRecord | undefined {
  const read = parseText(text, extname(name))
  const value: Json | undefined = 'value' in read ? read.value : undefined
  return isRecord(value) ? value : undefined
}

/** Returns the option `fixtures`; undefined if the folder has the usual name. */
function toFixturesOption(folder: string, out: string): string | undefined {
  const path = relative(folder, out).split(sep).join('/')
  return path === 'fixtures' ? undefined : `./${path === '' ? basename(out) : path}`
}
