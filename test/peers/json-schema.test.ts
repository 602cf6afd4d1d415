import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { createJsonSchemas } from '../../src/core/behaviours/schema/json-schema.ts'
import { isRecord } from '../../src/core/json/json.ts'

/** A schema, and the values that it allows or refuses. */
type Group = [
  title: string,
  schema: unknown,
  tests: [value: unknown, isValid: boolean, title: string][],
]

interface Suite {
  meta: string
  groups: Group[]
}

// The official JSON Schema Test Suite: the required tests, without remote references. It is shared
// by several projects, so that it lies beside this one.
const path = '../shared/data/json-schema-suite.json'
const file = join(import.meta.dirname, '../..', path)
const isThere = existsSync(file)
const isNeeded = process.env['CI'] !== undefined

/** The drafts of the suite, with the number of groups in each. */
const drafts: [name: string, count: number][] = [
  ['draft7', 244],
  ['draft2019-09', 353],
  ['draft2020-12', 359],
]

it.skipIf(!isThere && !isNeeded)(
  `the JSON Schema Test Suite ${isThere ? 'is whole' : `is missing at ${path}`}`,
  () => {
    expect(isThere, `Please put the JSON Schema Test Suite at ${path}.`).toBe(true)
    expect(drafts.map(([name]) => [name, readSuite(name).groups.length])).toEqual(drafts)
  },
)

describe.each(drafts)('the JSON Schema Test Suite of %s', (draft) => {
  const { meta, groups } = readSuite(draft)

  it.each(groups)('%s', (_title, given, tests) => {
    // Draft 7 leaves `$schema` out.
    const schema = isRecord(given) ? { $schema: meta, ...given } : given
    const validate = createJsonSchemas({ suite: schema })('suite')
    const verdicts = tests.map(([value, , title]) => [title, validate(value).length === 0])
    expect(verdicts).toEqual(tests.map(([, isValid, title]) => [title, isValid]))
  })
})

function readSuite(draft: string): Suite {
  if (!isThere) return { meta: '', groups: [] }
  const suites = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Suite>
  return suites[draft] ?? { meta: '', groups: [] }
}
