import { join, resolve } from 'node:path'
import { MockError } from '../../core/errors/mock-error.ts'
import { createGeneratorOf } from '../../core/generate/of-mock.ts'
import type { FakerLike } from '../../core/generate/words-of-faker.ts'
import { internalsOf } from '../../core/http/contract/internals.ts'
import { isError } from '../../core/fixtures/source.ts'
import { isRecord, type JsonRecord } from '../../core/json/json.ts'
import type { JsonSchema } from '../../core/types/json-schema.ts'
import type { FileSource } from '../../loader/watch/file-source.ts'
import { countOf } from '../../core/text/count-of.ts'
import { loadFrom } from '../../load/load-mock.ts'
import { writeAtomically } from '../../loader/atomic-write.ts'
import { toLabel } from '../../loader/discover/discover.ts'
import type { Arguments } from '../arguments/parse-arguments.ts'
import { usageError } from '../arguments/usage-errors.ts'
import { toPrintable } from '../output/printable.ts'
import { describeProblem } from '../output/problems.ts'
import type { Terminal } from '../output/terminal.ts'
import { readConfig } from './config.ts'

/**
 * `mock generate posts=1000`: brings collections to a number of records that look like those of the fixtures, and writes
 * the files in their layout, or into the folder that `--out` names. With `--dry-run` it prints some of the new records.
 */
export async function runGenerate(args: Arguments, terminal: Terminal): Promise<number> {
  const { io, print, printError, paint, errorPaint } = terminal
  const { counts, paths } = readCounts(args.paths)
  const { out } = args.values
  const isDry = args.values['dry-run'] === true
  const config = await readConfig({ ...args, paths }, io)
  const isInPlace = !isDry && out === undefined
  const { mock, source } = await loadFrom<Record<string, unknown>>(
    { ...config, persist: isInPlace },
    {
      // A schema whose collection is yet to be generated is no problem.
      onProblem: (problem) => {
        if (isError(problem)) printError(describeProblem(problem, errorPaint))
      },
    },
  )
  const internals = internalsOf(mock)
  const locale = typeof args.values['locale'] === 'string' ? args.values['locale'] : 'en'
  try {
    const faker = await loadFaker(locale)
    const generator = createGeneratorOf(
      internals,
      { locale, seed: config.seed ?? 1, id: config.id ?? 'id', ...(faker && { faker }) },
      (name) => schemasOf(source, name).map((schema) => ({ schema })),
    )
    const generated = generator.generate(counts)
    for (const [name, records] of Object.entries(generated)) {
      const known = internals.store.resources.get(name)
      const count = known?.kind === 'collection' ? known.size : 0
      const added = records.slice(count)
      const total = `${countOf(added.length, 'new record')}, ${records.length.toLocaleString('en')} in all`
      print(`${paint.bold(toPrintable(name))}  ${total}`)
      if (isDry)
        for (const record of added.slice(0, 3)) print(`  ${toPrintable(JSON.stringify(record))}`)
      else if (typeof out === 'string') await write(resolve(io.cwd(), out), name, records)
      else if (known === undefined) await write(config.fixtures[0] ?? io.cwd(), name, records)
      else internals.store.insertAll(name, added)
    }
    return 0
  } finally {
    await internals.background?.finish()
  }

  async function write(
    folder: string,
    name: string,
    records: readonly JsonRecord[],
  ): Promise<void> {
    const path = join(folder, `${name}.json`)
    await writeAtomically(path, `${JSON.stringify(records, null, 2)}\n`)
    print(`${paint.green('wrote')}  ${toPrintable(toLabel(path, io.cwd()))}`)
  }
}

/** Splits `posts=100 fixtures` into numbers by collection and paths. @throws MockError without a number */
function readCounts(words: readonly string[]): { counts: Record<string, number>; paths: string[] } {
  const counts: Record<string, number> = {}
  const paths: string[] = []
  for (const word of words) {
    const [, name, count] = /^([^=]+)=(.*)$/s.exec(word) ?? []
    if (name === undefined || count === undefined) {
      paths.push(word)
      continue
    }
    if (!/^\d{1,9}$/.test(count)) {
      throw usageError(
        `Failed to read "${word}": "${count}" is no number of records. Please write ${name}=100.`,
      )
    }
    counts[name] = Number(count)
  }
  if (Object.keys(counts).length > 0) return { counts, paths }
  throw usageError(
    'Failed to generate: no collection is named. Please write "npx fixtura generate posts=100".',
  )
}

/** The schemas in `posts.schema.json`, for a collection that has no fixture yet. */
function schemasOf({ scanner }: FileSource, name: string): JsonSchema[] {
  return [...scanner.current().files.values()].flatMap(({ schema, ...file }) =>
    file.name === name && isRecord(schema) ? [schema] : [],
  )
}

/** Imports `@faker-js/faker`, if it is installed, in a language; undefined without it. */
async function loadFaker(locale: string): Promise<FakerLike | undefined> {
  try {
    const name = `@faker-js/faker/locale/${locale}`
    const { faker } = (await import(/* @vite-ignore */ name)) as { faker: FakerLike }
    return faker
  } catch (error) {
    const code = (error as { code?: unknown }).code
    if (code === 'ERR_MODULE_NOT_FOUND' && (locale === 'en' || locale === 'de')) return undefined
    throw new MockError(
      `Failed to generate in the language "${locale}": @faker-js/faker has no such locale, or is not installed. Please run "npm install --save-dev @faker-js/faker", or write --locale en.`,
      { code: 'GENERATE_INVALID', cause: error },
    )
  }
}
