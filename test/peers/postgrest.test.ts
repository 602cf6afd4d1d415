import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { schema } from '../../src/behaviours.ts'
import { supabase } from '../../src/dialects.ts'
import { createMock, type MockOptions } from '../../src/index.ts'

/** A case of PostgREST's specification: requests to the tables as they were first, one after the other. */
interface Case {
  spec: string
  line: number
  steps: Step[]
}

interface Step {
  method: string
  path: string
  headers?: [string, string][]
  body?: string | null
  expect: {
    status: number
    headers?: Record<string, string>
    contains?: Record<string, string>
    absent?: string[]
    json?: unknown
    text?: string
  }
}

interface Tables {
  fixtures: Record<string, object[]>
  schemas: Record<string, Record<string, unknown>>
  config: Pick<MockOptions<object>, 'id' | 'relations'>
  keys: Record<string, { primary: string[]; unique: string[][] }>
}

function read(name: string): unknown {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'postgrest', name), 'utf8'))
}

const cases = read('cases.json') as Case[]
const { fixtures, schemas, config, keys } = read('fixtures.json') as Tables
const groups = Object.entries(keys).map(([name, { primary, unique }]) => {
  const own = unique.filter((group) => group.join() !== primary.join())
  return [name, { unique: primary.length > 1 ? [primary, ...own] : own }]
})

const mock = createMock({
  fixtures,
  dialect: supabase,
  ...config,
  resources: Object.fromEntries(groups) as Record<string, { unique: string[][] }>,
  use: [schema(schemas)],
})

/** The cases in which the mock differs, with the reason. */
const differences: Readonly<Record<string, string>> = {
  'DeleteSpec 116': 'the schema is "public", and names are suggested by edit distance',
  'EmbedDisambiguationSpec 16':
    'views are no tables, and constraints have the names that PostgreSQL gives',
  'EmbedDisambiguationSpec 508': 'the schema is "public"',
  'ErrorSpec 42': 'the schema is "public", and names are suggested by edit distance',
  'InsertSpec 480': 'the schema is "public", and names are suggested by edit distance',
  'QuerySpec 26': 'the schema is "public", and names are suggested by edit distance',
  'SpreadQueriesSpec 175': 'rows without an order are in the order of the fixtures',
  'SpreadQueriesSpec 219': 'rows without an order are in the order of the fixtures',
  'UpdateSpec 17': 'the schema is "public", and names are suggested by edit distance',
}

/** What differs between a response and the expectation. */
async function differencesOf({
  method,
  path,
  headers = [],
  body = null,
  expect: expected,
}: Step): Promise<unknown[]> {
  const sent = new Headers(headers)
  if (body !== null && !sent.has('content-type')) sent.set('content-type', 'application/json')
  const url = encodeURI(decodeURI(path)).replaceAll('#', '%23')
  const response = await mock.fetch(`http://mock.test/rest/v1${url}`, {
    method,
    headers: sent,
    body,
  })
  const text = await response.text()
  const found: unknown[] = response.status === expected.status ? [] : [response.status, text]
  for (const [name, value] of Object.entries(expected.headers ?? {})) {
    if (response.headers.get(name) !== value) found.push([name, response.headers.get(name), value])
  }
  for (const [name, part] of Object.entries(expected.contains ?? {})) {
    if (!response.headers.get(name)?.includes(part))
      found.push([name, response.headers.get(name), part])
  }
  for (const name of expected.absent ?? [])
    if (response.headers.has(name)) found.push([name, 'is there'])
  if (expected.json !== undefined && !same(parse(text), expected.json))
    found.push([text, expected.json])
  if (expected.text !== undefined && text !== expected.text) found.push([text, expected.text])
  return found
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function same(actual: unknown, expected: unknown): boolean {
  try {
    expect(actual).toEqual(expected)
    return true
  } catch {
    return false
  }
}

it('agrees with more than 95 % of the cases of PostgREST', async () => {
  const differing: Record<string, unknown> = {}
  for (const { spec, line, steps } of cases) {
    mock.reset()
    for (const step of steps) {
      const found = await differencesOf(step)
      if (found.length > 0) differing[`${spec} ${line}`] ??= found
    }
  }
  expect(Object.keys(differing), JSON.stringify(differing, null, 2)).toEqual(
    Object.keys(differences),
  )
  expect(Object.keys(differing).length / cases.length).toBeLessThan(0.05)
})
