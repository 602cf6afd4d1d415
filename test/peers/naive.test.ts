import { describe, expect, it } from 'vitest'

import type { JsonRecord } from '../../src/core/json/json.ts'
import { createMock, type Mock } from '../../src/index.ts'
import { fc } from '../fast-check.ts'
import { listed } from './harness/listed.ts'
import { type Condition, findNaively, pathsOf, type Question } from './naive.ts'

const words = ['Alpha', 'alpha', 'beta b', 'Ünï', '7', '10', '', 'true', 'null', '100%', 'a_b']
const word = fc.constantFrom(...words)
const oneOf = (names: string): fc.Arbitrary<string> => fc.constantFrom(...listed(names))
const orNull = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.option(value, { freq: 15, nil: null })

const record = fc.record(
  {
    title: orNull(word),
    views: orNull(fc.integer({ min: 0, max: 12 })),
    isDone: orNull(fc.boolean()),
    author: orNull(
      fc.record({ name: word, age: fc.integer({ min: 1, max: 4 }) }, { requiredKeys: ['name'] }),
    ),
    tags: fc.array(fc.constantFrom('a', 'b', 1), { maxLength: 2 }),
    items: fc.array(fc.record({ sku: word }), { maxLength: 2 }),
    mixed: fc.constantFrom<JsonRecord[string]>(1, '1', 'a', null, true, '02', {}, []),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonRecord>

const text = fc.constantFrom(...words, 'al', 'a', '1', '3', '02')
const condition: fc.Arbitrary<Condition> = fc
  .record({
    path: oneOf('title¦views¦isDone¦author¦author.name¦author.age¦tags¦items.sku¦mixed¦never'),
    operator: oneOf('eq¦eq¦ne¦lt¦lte¦gt¦gte¦in¦nin¦contains¦startsWith¦endsWith¦like¦exists'),
  })
  .chain(({ path, operator }) => {
    const plain = operator === 'exists' ? fc.constantFrom('true', 'false') : text
    const spelled: Record<string, fc.Arbitrary<string>> = {
      in: fc.array(text, { minLength: 1, maxLength: 2 }).map((list) => list.join(',')),
      like: fc
        .tuple(fc.constantFrom('', '%', '_'), text, fc.constantFrom('', '%', '_'))
        .map((parts) => parts.join('')),
    }
    const operand = spelled[operator] ?? plain
    const operands = fc.array(operand, { minLength: 1, maxLength: 2 })
    return operands.map((list) => ({ path, operator, operands: list }))
  })

const question: fc.Arbitrary<Question> = fc.record({
  conditions: fc.uniqueArray(condition, {
    maxLength: 2,
    selector: ({ path, operator }) => `${path}:${operator}`,
  }),
  search: fc.constantFrom('', '', '', 'alp', '7', 'ÜN'),
  sort: fc.uniqueArray(
    fc.constantFrom('title', '-title', 'views', '-views', 'author.name', '-isDone', 'id'),
    { maxLength: 2, selector: (path) => path.replace('-', '') },
  ),
})

/** A part of a list, from the first place up to the one behind the last. */
const part = fc.option(
  fc.tuple(fc.nat(6), fc.integer({ min: 0, max: 6 })).map(([start, size]) => [start, start + size]),
  { nil: undefined },
)

/** Something that is done to the mock, and what with. */
interface Step {
  does: keyof typeof moves
  question: Question
  part: number[] | undefined
  record: JsonRecord
  at: number
}

/** What the data is, and which paths any record has ever had. */
interface State {
  records: JsonRecord[]
  known: ReadonlySet<string>
}

function withRecords(records: JsonRecord[], known: ReadonlySet<string> = new Set()): State {
  return { records, known: new Set([...known, ...records.flatMap((one) => pathsOf(one))]) }
}

function toSearch({ conditions, search, sort }: Question, window: number[] | undefined): string {
  const pairs = conditions.flatMap(({ path, operator, operands }) => {
    const name = operator === 'eq' ? path : `${path}:${operator}`
    return operands.map((operand) => [name, operand])
  })
  if (search !== '') pairs.push(['q', search])
  if (sort.length > 0) pairs.push(['_sort', sort.join(',')])
  if (window) pairs.push(['_start', String(window[0])], ['_end', String(window[1])])
  return new URLSearchParams(pairs).toString()
}

/** The mock, and the plain data that goes the same way. */
interface World {
  mock: Mock
  start: State
  state: State
  kept?: State | undefined
}

const moves = {
  async ask({ mock, state }, { question, part }) {
    const path = `/posts?${toSearch(question, part)}`
    const response = await mock.fetch(`http://localhost${path}`)
    const found = findNaively(state.records, question, (one) => state.known.has(one))
    const records: unknown = await response.json()
    expect({ path, total: response.headers.get('X-Total-Count'), records }).toEqual({
      path,
      total: String(found.length),
      records: part ? found.slice(...part) : found,
    })
  },
  async create(world, { record: sent }) {
    const created = await send(world, 'POST', '/posts', sent)
    expect(created).toMatchObject(sent)
    world.state = withRecords([...world.state.records, created], world.state.known)
  },
  replace: (world, { at, record: sent }) => change(world, 'PUT', at, () => sent, sent),
  patch: (world, { at, record: sent }) =>
    change(world, 'PATCH', at, (held) => ({ ...held, ...sent }), sent),
  async remove(world, { at }) {
    const { records, known } = world.state
    if (records.length === 0) return
    const held = records[at % records.length]
    expect(await send(world, 'DELETE', pathOf(held))).toEqual(held)
    world.state = { records: records.filter((one) => one !== held), known }
  },
  reset(world) {
    world.mock.reset()
    world.state = world.start
  },
  fork(world) {
    world.mock = world.mock.fork()
    delete world.kept
  },
  keep(world) {
    world.mock.snapshot('kept')
    world.kept = world.state
  },
  bringBack(world) {
    if (!world.kept) return
    world.mock.restore('kept')
    world.state = world.kept
  },
} satisfies Record<string, (world: World, step: Step) => Promise<void> | void>

async function change(
  world: World,
  method: string,
  at: number,
  toNext: (held: JsonRecord) => JsonRecord,
  sent: JsonRecord,
): Promise<void> {
  const { records, known } = world.state
  if (records.length === 0) return
  const place = at % records.length
  const held = records[place] ?? {}
  const next = { ...toNext(held), id: held['id'] ?? 0 }
  expect(await send(world, method, pathOf(held), sent)).toEqual(next)
  world.state = withRecords(records.with(place, next), known)
}

function pathOf(held: JsonRecord | undefined): string {
  return `/posts/${JSON.stringify(held?.['id'])}`
}

async function send(
  { mock }: World,
  method: string,
  path: string,
  sent?: JsonRecord,
): Promise<JsonRecord> {
  const headers = { 'Content-Type': 'application/json' }
  const body = sent ? JSON.stringify(sent) : null
  const response = await mock.fetch(`http://localhost${path}`, { method, headers, body })
  expect([method, path, response.ok]).toEqual([method, path, true])
  return (await response.json()) as JsonRecord
}

const step: fc.Arbitrary<Step> = fc.record({
  does: fc.constantFrom(
    ...(['ask', 'ask', 'ask', 'ask', 'ask', 'create', 'replace', 'patch', 'patch'] as const),
    ...(['remove', 'remove', 'reset', 'fork', 'keep', 'bringBack'] as const),
  ),
  question,
  part,
  record,
  at: fc.nat(),
})

describe('a collection', () => {
  it('answers as plain data would, whatever came before', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { maxLength: 20 }),
        fc.array(step, { minLength: 1, maxLength: 30, size: 'max' }),
        async (first, steps) => {
          const posts = first.map((one, at) => ({ id: at + 1, ...one }))
          const start = withRecords(posts)
          const world: World = { mock: createMock({ fixtures: { posts } }), start, state: start }
          for (const one of steps) await moves[one.does](world, one)
        },
      ),
      { numRuns: 500 },
    )
  })
})
