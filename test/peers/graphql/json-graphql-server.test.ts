import { createRequire } from 'node:module'

import type * as library from 'graphql'
import { jsonSchemaBuilder } from 'json-graphql-server/node'
import { expect, it } from 'vitest'

import { graphql } from '../../../src/graphql.ts'
import { createMock } from '../../../src/index.ts'
import { seed } from '../../seed.ts'
import { createRandom, type Random } from '../harness/random.ts'

// The peer uses the CommonJS file of the package.
const { graphql: runQuery } = createRequire(import.meta.url)('graphql') as typeof library

/** The answers in which the mock differs deliberately from `json-graphql-server`, by the operation and those before it. */
const differences: readonly [
  reason: string,
  isMeant: (operation: string, earlier: readonly string[]) => boolean,
][] = [
  [
    'a search reads the values inside of objects, which the peer reads as "[object Object]" or fails at',
    (operation) => /^\{ _?allUsers.*\bq:/.test(operation),
  ],
  [
    'a date that a request wrote is an object to the peer, neither before nor after a text',
    (operation, earlier) =>
      /^\{.*\bdate/.test(operation) && earlier.some((one) => /^mutation.*\bdate:/.test(one)),
  ],
  [
    'an update makes the id a text to the peer, whose next id is "211" after "21"',
    (operation, earlier) =>
      operation.startsWith('mutation { create') &&
      earlier.some((one) => one.startsWith('mutation { update')),
  ],
  [
    'a new id follows the highest id ever used, where that of the peer follows the last record',
    (operation, earlier) =>
      operation.startsWith('mutation { create') &&
      earlier.some((one) => /^mutation \{ (?:remove|delete)/.test(one)),
  ],
]

const words = ['tea', 'Milk', 'cup', 'Teapot', 'oat', '']
const types = { Post: 'posts', User: 'users', Comment: 'comments' } as const
type Type = keyof typeof types

function createData(random: Random) {
  const day = (): string => `2026-0${random.int(1, 9)}-1${random.int(0, 9)}T10:00:00.000Z`
  const list = <T>(count: number, make: (id: number) => T): T[] =>
    Array.from({ length: count }, (_, at) => make(at + 1))
  return {
    posts: list(12, (id) => ({
      id,
      title: `${random.pick(words)} ${random.pick(words)}`,
      views: random.int(0, 9),
      rating: random.int(0, 40) / 4 + 0.125,
      isDraft: random.chance(0.5),
      date: day(),
      user_id: random.int(1, 4),
      tags: list(random.int(0, 3), () => random.pick(words)),
    })),
    users: list(4, (id) => ({
      id,
      name: `${random.pick(words)}${id}`,
      address: { city: random.pick(words) },
    })),
    comments: list(20, (id) => ({ id, body: random.pick(words), post_id: random.int(1, 12) })),
  }
}

const selections: Record<Type, readonly string[]> = {
  Post: [
    'id title',
    'id views rating isDraft',
    'date tags user_id',
    'id User { name }',
    'id Comments { id body }',
    'User { Posts { id title } }',
  ],
  User: ['id name', 'name address', 'id Posts { id User { id } }', 'Posts { Comments { body } }'],
  Comment: ['id body', 'post_id', 'id Post { title User { name } }'],
}

const fields: Record<Type, Record<string, (random: Random) => unknown>> = {
  Post: {
    title: (random) => `${random.pick(words)} ${random.pick(words)}`,
    views: (random) => random.int(0, 9),
    rating: (random) => random.int(0, 40) / 4 + 0.125,
    isDraft: (random) => random.chance(0.5),
    date: (random) => `2026-0${random.int(1, 9)}-15T10:00:00.000Z`,
    user_id: (random) => String(random.int(1, 4)),
    tags: (random) => [random.pick(words)],
  },
  User: {
    name: (random) => `${random.pick(words)}${random.int(1, 4)}`,
    address: (random) => ({ city: random.pick(words) }),
  },
  Comment: { body: (random) => random.pick(words), post_id: (random) => String(random.int(1, 12)) },
}

/** Writes a value as GraphQL. */
function write(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(write).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{ ${writeArguments(value)} }`
}

function writeArguments(given: object): string {
  return Object.entries(given)
    .map(([name, value]) => `${name}: ${write(value)}`)
    .join(', ')
}

function drawFilter(type: Type, random: Random): object {
  if (random.chance(0.1)) return { ids: [random.int(1, 9), String(random.int(1, 9))] }
  const names = Object.keys(fields[type]).filter((name) => name !== 'address')
  const filter: Record<string, unknown> = {}
  for (let left = random.int(0, 2); left > 0; left--) {
    const name = random.pick(names)
    const isPlain = ['isDraft', 'tags'].includes(name)
    const suffixes = name.endsWith('_id')
      ? ['', '_neq']
      : ['', '_neq', '_lt', '_lte', '_gt', '_gte']
    filter[name + (isPlain ? '' : random.pick(suffixes))] = fields[type][name]?.(random)
  }
  if (random.chance(0.2)) filter['id'] = String(random.int(1, 12))
  if (random.chance(0.2)) filter['q'] = random.pick(words)
  return filter
}

function drawOperation(random: Random): string {
  const type = random.pick(Object.keys(types) as Type[])
  const plural = `${type}s`
  const selection = `{ ${random.pick(selections[type])} }`
  const id = (): string => String(random.int(1, 22))
  const given = Object.fromEntries(
    Object.entries(fields[type]).map(([name, draw]) => [name, draw(random)]),
  )
  const some = Object.fromEntries(Object.entries(given).filter(() => random.chance(0.4)))
  const list = {
    ...(random.chance(0.6) && {
      sortField: random.pick([
        'id',
        ...Object.keys(fields[type]).filter((name) => !['address', 'tags'].includes(name)),
      ]),
      sortOrder: random.pick(['asc', 'desc', 'ASC', 'DESC']),
    }),
    ...(random.chance(0.5) && {
      page: random.int(0, 3),
      ...(random.chance(0.8) && { perPage: random.int(1, 6) }),
    }),
    ...(random.chance(0.7) && { filter: drawFilter(type, random) }),
  }
  const args = Object.keys(list).length > 0 ? `(${writeArguments(list)})` : ''
  return random.weighted<string>([
    [8, `{ all${plural}${args} ${selection} }`],
    [3, `{ _all${plural}Meta(filter: ${write(drawFilter(type, random))}) { count } }`],
    [3, `{ ${type}(id: ${id()}) ${selection} }`],
    [1, `mutation { create${type}(${writeArguments(given)}) ${selection} }`],
    [1, `mutation { createMany${type}(data: [{ ${writeArguments(given)} }]) ${selection} }`],
    [1, `mutation { update${type}(${writeArguments({ id: id(), ...some })}) ${selection} }`],
    [0.3, `mutation { ${random.pick(['remove', 'delete'])}${type}(id: ${id()}) ${selection} }`],
  ])
}

it.each(Array.from({ length: 20 }, (_, at) => [seed * 100 + at]))(
  'answers 50 random operations as the peer does (seed %i)',
  async (own) => {
    const random = createRandom(own)
    const data = createData(random)
    const schema = jsonSchemaBuilder(structuredClone(data))
    const mock = createMock({ fixtures: structuredClone(data), use: [graphql()] })
    const earlier: string[] = []
    while (earlier.length < 50) {
      const query = drawOperation(random)
      if (differences.some(([, isMeant]) => isMeant(query, earlier))) continue
      earlier.push(query)
      const peer = await runQuery({ schema, source: query })
      const response = await mock.fetch(
        new Request('http://x/graphql', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query }),
        }),
      )
      expect(await response.json(), query).toEqual(JSON.parse(JSON.stringify(peer)))
    }
  },
)
