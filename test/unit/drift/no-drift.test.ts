import { describe, expect, it } from 'vitest'

import { createIgnore } from '../../../src/core/drift/ignore.ts'
import { allowed, forbidden, isDifferent, type Tally } from '../../../src/core/drift/facts/facts.ts'
import { renameField, updateValues } from '../../../src/core/drift/update-values.ts'
import type { Json, JsonRecord } from '../../../src/core/json/json.ts'
import { databases } from '../../openapi/databases.ts'
import { fc } from '../../fast-check.ts'
import { createData } from './back-end.ts'
import { findDifferences } from './find-differences.ts'

const values = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>

describe('fixtures and themselves', () => {
  it('never differ, whatever their values', () => {
    const records = fc.array(fc.dictionary(fc.string(), values), { maxLength: 30 })
    fc.assert(
      fc.property(records, (rows) => {
        const posts = rows.map((row, id) => ({ ...row, id }))
        expect(findDifferences({ posts }, { posts })).toEqual([])
      }),
      { numRuns: 50 },
    )
  })

  it.each(Object.keys(databases))('never differ for %s', (name) => {
    const data = databases[name] as Record<string, Json>
    expect(findDifferences(data, data)).toEqual([])
  })
})

describe('two random halves of the same records', () => {
  it('do not differ', () => {
    const { posts } = createData('same', 400)
    fc.assert(
      fc.property(fc.infiniteStream(fc.boolean()), (coins) => {
        const isHere = posts.map(() => coins.next().value === true)
        const here = posts.filter((_, at) => isHere[at]) as JsonRecord[]
        const there = posts.filter((_, at) => !isHere[at]) as JsonRecord[]
        expect(findDifferences({ posts: here }, { posts: there })).toEqual([])
      }),
      { numRuns: 20 },
    )
  })

  it('do not differ for the fixtures of the repository, save in rare fields', () => {
    const data = databases['fixtures'] as Record<string, Json>
    const [here = {}, there = {}] = [0, 1].map((rest) =>
      Object.fromEntries(
        Object.entries(data).map(([key, value]) => [
          key,
          Array.isArray(value) ? value.filter((_, at) => at % 2 === rest) : value,
        ]),
      ),
    )
    const kinds = findDifferences(here, there).map(({ kind }) => kind)
    expect(kinds.filter((kind) => !kind.startsWith('missing'))).toEqual([])
  })
})

describe('the values of an enum', () => {
  const recordsOf = (choices: readonly string[], count: number): JsonRecord[] =>
    Array.from({ length: count }, (_, at) => ({
      id: at + 1,
      role: choices[at % choices.length] ?? '',
    }))

  it.each([
    ['24 records are too few', 24, []],
    ['40 records are enough', 40, ['posts.role']],
  ])('where %s', (_title, count, expected) => {
    const [here, there] = [
      recordsOf(['admin', 'staff'], count),
      recordsOf(['admin', 'guest'], count),
    ]
    const differences = findDifferences({ posts: here }, { posts: there })
    expect([...new Set(differences.map(({ path }) => path))]).toEqual(expected)
  })
})

describe('the evidence for a difference', () => {
  const tally = (count: number, total: number): Tally => ({ count, total })

  it.each([
    ['both have it', tally(1, 2), tally(2, 2), false],
    ['neither has it', tally(0, 2), tally(0, 2), false],
    ['one of few has it', tally(1, 2), tally(0, 2), false],
    ['half of 10 against 10', tally(5, 10), tally(0, 10), false],
    ['half of 20 against 20', tally(10, 20), tally(0, 20), true],
    ['all of 7 against 7', tally(7, 7), tally(0, 7), true],
    ['all of 5 against 5', tally(5, 5), tally(0, 5), false],
    ['there is no value', tally(5, 5), tally(0, 0), false],
    ['a schema rules it out', tally(1, 100), forbidden, true],
    ['a schema announces it, for 19 values', allowed, tally(0, 19), false],
    ['a schema announces it, for 20 values', allowed, tally(0, 20), true],
    ['nothing is known', undefined, tally(5, 5), false],
  ])('where %s', (_title, here, there, expected) => {
    expect(isDifferent(here, there)).toBe(expected)
    expect(isDifferent(there, here)).toBe(expected)
  })
})

describe('ignored paths', () => {
  it.each([
    ['posts.title', 'posts.title', true],
    ['posts.title', 'posts.titles', false],
    ['*.updatedAt', 'posts.updatedAt', true],
    ['*.updatedAt', 'posts.author.updatedAt', true],
    ['*.updatedAt', 'posts.updatedAt.date', true],
    ['posts', 'posts.items[].id', true],
    ['posts.items', 'posts.items[].id', true],
    ['posts.*.id', 'posts.items[].id', true],
    ['*', 'posts.id', true],
    ['GET *', 'GET /posts/:id', true],
    ['GET /users*', 'GET /posts/:id', false],
    ['', 'posts', false],
    ['a*a', 'a', false],
  ])('%s for %s', (pattern, path, expected) => {
    expect(createIgnore([pattern])(path)).toBe(expected)
  })
})

describe('an update', () => {
  it('leaves no difference, and keeps all records', () => {
    const rows = fc.array(fc.record({ id: fc.nat(), a: values, b: values }), { minLength: 1 })
    fc.assert(
      fc.property(rows, rows, (mine, other) => {
        const [posts, theirs] = [mine, other].map((list) =>
          list.map(({ a, b }, id) => (list === mine ? { id, a, b } : { id, a, c: b })),
        ) as unknown as [JsonRecord[], JsonRecord[]]
        const sameAs = (value: Json): Json | undefined =>
          theirs.find(({ id }) => id === (value as JsonRecord)['id'])
        let after: Json[] = posts
        // What takes the place of a value can differ inside.
        for (let round = 0; round < 6; round++) {
          const differences = findDifferences({ posts: after }, { posts: theirs })
          const { values, done, left } = updateValues(after, differences, {
            values: theirs,
            sameAs,
          })
          expect(done.length + left.length).toBe(differences.length)
          after = values
        }
        expect(after.map((value) => (value as JsonRecord)['id'])).toEqual(posts.map(({ id }) => id))
        const left = findDifferences({ posts: after }, { posts: theirs })
        expect(left.map(({ path }) => path)).toEqual([])
      }),
      { numRuns: 50 },
    )
  })

  it('keeps the position of a renamed field', () => {
    const renamed = renameField({ a: 1, b: 2, c: 3 }, 'b', 'x')
    expect(JSON.stringify(renamed)).toBe('{"a":1,"x":2,"c":3}')
  })
})
