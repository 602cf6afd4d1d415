import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { shop } from '../unit/core/source/shop-document.ts'
import { type CorpusRow, runDocument } from './corpus.ts'

interface Corpus {
  /** The documents by npm package. */
  packages: Record<string, { version: string; documents: string[] }>
  /** How many answers do not conform, by document, as the document contradicts itself or the mock is at fault. */
  known: Record<string, { count: number; reason: string }>
}

const { packages, known } = JSON.parse(
  readFileSync(new URL('corpus.json', import.meta.url), 'utf8'),
) as Corpus

/** The folder with the packages; without it, the documents of the development dependency are run. */
const folder = process.env['OAS_CORPUS'] ?? 'node_modules'

const installed = Object.entries(packages).filter(([name]) => existsSync(join(folder, name)))
const missing = Object.entries(packages).filter(([name]) => !existsSync(join(folder, name)))

const documents = installed.flatMap(([name, { documents: paths }]) =>
  paths.map((path): [title: string, file: string] => [`${name}/${path}`, join(folder, name, path)]),
)

describe('a mock of an OpenAPI document', () => {
  const rows: CorpusRow[] = []

  it('answers every operation of the shop as the document says', async () => {
    expect((await runDocument('shop', shop)).violations).toEqual([])
  })

  it.each(documents)(
    'answers every operation of %s as the document says',
    async (title, file) => {
      const row = await runDocument(title, JSON.parse(readFileSync(file, 'utf8')) as object)
      rows.push(row)
      const violations = known[title] ? row.violations.length : row.violations
      expect(violations).toEqual(known[title]?.count ?? [])
    },
    180_000,
  )

  for (const [name, { version, documents: paths }] of missing) {
    it.skip(`skips ${paths.length} documents: ${name}@${version} is not installed in OAS_CORPUS`)
  }

  it('starts within three seconds', () => {
    for (const [name] of installed) console.log(name, sumOf(rows, `${name}/`))
    expect(Math.max(...rows.map(({ start }) => start))).toBeLessThanOrEqual(3000)
  })
})

/** The row of a package in the table of `docs/speak/openapi-tried.md`. */
function sumOf(rows: readonly CorpusRow[], prefix: string): Record<string, number> {
  const own = rows.filter(({ title }) => title.startsWith(prefix))
  const sum = (count: (row: CorpusRow) => number): number =>
    own.reduce((total, row) => total + count(row), 0)
  return {
    documents: own.length,
    operations: sum((row) => row.operations),
    stateful: sum((row) => row.stateful),
    examples: sum((row) => row.examples),
    violations: sum((row) => row.violations.length),
    unasked: sum((row) => row.unasked),
    unchecked: sum((row) => row.unchecked),
    slowestStart: Math.max(...own.map(({ start }) => start)),
  }
}
