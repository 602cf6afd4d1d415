import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

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

// The official JSON Schema Test Suite, its required tests without remote references. Several projects share it,
// so that it lies beside this one, or where the variable SHARED says.
const name = 'data/json-schema-suite.json'
const shared = process.env['SHARED']
const file = resolve(import.meta.dirname, '../..', shared ?? '../shared', name)
const isSkipped = shared === undefined && !existsSync(file)
const reason = isSkipped ? ` is skipped: there is no ../shared/${name}` : ''

/** The drafts of the suite, with the number of groups in each. */
const drafts: [name: string, count: number][] = [
  ['draft7', 244],
  ['draft2019-09', 353],
  ['draft2020-12', 359],
]

describe.skipIf(isSkipped)(`the JSON Schema Test Suite${reason}`, () => {
  it('is whole', () => {
    expect(drafts.map(([draft]) => [draft, readSuite(draft).groups.length])).toEqual(drafts)
  })

  describe.each(drafts)('%s', (draft) => {
    const { meta, groups } = readSuite(draft)

    it.each(groups)('%s', (_title, given, tests) => {
      // Draft 7 leaves `$schema` out.
      const schema = isRecord(given) ? { $schema: meta, ...given } : given
      const validate = createJsonSchemas({ suite: schema })('suite')
      const verdicts = tests.map(([value, , title]) => [title, validate(value).length === 0])
      expect(verdicts).toEqual(tests.map(([, isValid, title]) => [title, isValid]))
    })
  })
})

function readSuite(draft: string): Suite {
  if (isSkipped) return { meta: '', groups: [] }
  const suites = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Suite>
  return suites[draft] ?? { meta: '', groups: [] }
}
