import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

import { shop } from '../unit/core/source/shop-document.ts'
import { type CorpusRow, runDocument } from './corpus.ts'

/** A folder of OpenAPI documents, such as those of the package `@readme/oas-examples`. */
const folder = process.env['OAS_CORPUS']

const documents: [title: string, read: () => object][] = [
  ['shop', () => shop],
  ...(folder === undefined
    ? []
    : readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(?:json|ya?ml)$/.test(name))
        .map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const)
        .filter(([, text]) => /^\s*"?(?:openapi|swagger)"?\s*:/m.test(text))
        .map(([name, text]): [string, () => object] => [
          name,
          () => (name.endsWith('.json') ? JSON.parse(text) : parse(text)) as object,
        ])),
]

describe('a mock of an OpenAPI document', () => {
  const rows: CorpusRow[] = []

  it.each(documents)('answers every operation of %s as the document says', async (title, read) => {
    const row = await runDocument(title, read())
    rows.push(row)
    expect(row.violations).toEqual([])
  })

  it('starts within three seconds', () => {
    if (folder !== undefined)
      console.table(
        rows.map(({ violations, ...row }) => ({ ...row, violations: violations.length })),
      )
    expect(Math.max(...rows.map(({ start }) => start))).toBeLessThanOrEqual(3000)
  })
})
