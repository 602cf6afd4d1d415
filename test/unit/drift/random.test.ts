import { describe, expect, it } from 'vitest'

import { describeDifference, type Difference } from '../../../src/core/drift/difference.ts'
import { updateValues } from '../../../src/core/drift/update-values.ts'
import { isRecord, type Json, type JsonRecord } from '../../../src/core/json/json.ts'
import { fc } from '../../fast-check.ts'
import { findDifferences } from './find-differences.ts'

/** The value of a field in the record with a number; the two sides have other values. */
type Field = (at: number, side: string) => Json | undefined

const choices = ['draft', 'open', 'closed', 'gone']

/** The kinds of fields, whose values follow from the number of the record. */
const kinds: Record<string, Field> = {
  integer: (at, side) => (at * 37 + side.length) % 1000,
  fraction: (at) => at + 0.5,
  text: (at, side) => `${side} text ${at}`,
  flag: (at) => at % 2 === 0,
  choice: (at, side) => choices[(at + side.length) % 3],
  time: (at, side) => new Date(1e12 + at * 1e9 + side.length).toISOString(),
  date: (at, side) => new Date(1e12 + at * 1e9 + side.length * 1e8).toISOString().slice(0, 10),
  email: (at, side) => `${side}${at}@example.com`,
  uuid: (at, side) => `${side.padStart(8, '0')}-0000-4000-8000-${String(at).padStart(12, '0')}`,
  nullable: (at, side) => (at % 3 === 0 ? null : `${side} ${at}`),
  optional: (at, side) => (at % 3 === 1 ? undefined : `${side} ${at}`),
  texts: (at, side) => [`${side}${at}`, 'x'].slice(0, (at % 2) + 1),
  object: (at, side) => ({ name: `${side} ${at}`, size: at }),
  rows: (at, side) => [{ sku: `${side}-${at}`, price: at + 0.25 }],
}

/** A shape: the names of fields with their kinds, at the top and in a nested object. */
const shape = fc.uniqueArray(fc.constantFrom(...Object.keys(kinds)), { minLength: 2 })

const count = 60

function toRecords(names: readonly string[], side: string): JsonRecord[] {
  const toFields = (at: number): JsonRecord =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = kinds[name]?.(at, side)
        return value === undefined ? [] : [[name, value]]
      }),
    )
  return Array.from({ length: count }, (_, at) => ({
    id: at + 1,
    ...toFields(at),
    nested: toFields(at + 7),
  }))
}

/** A change of a field in the records from a number on, and how it is reported. */
interface Change {
  plant: (holder: JsonRecord, name: string) => void
  applies: (name: string) => boolean
  kind: RegExp
  /** Whether 8 of 60 records show the change, or all. */
  isPartial: boolean
}

const always = (name: string): boolean => name !== 'optional'

const changes: Record<string, Change> = {
  'one more value of an enum': {
    plant: (holder, name) => (holder[name] = 'frozen'),
    applies: (name) => name === 'choice',
    kind: /^enum$/,
    isPartial: true,
  },
  'a null': {
    plant: (holder, name) => (holder[name] = null),
    applies: (name) => name !== 'nullable' && name !== 'optional',
    kind: /^null$/,
    isPartial: true,
  },
  'a field that can be missing': {
    plant: (holder, name) => delete holder[name],
    applies: always,
    kind: /^optional$/,
    isPartial: true,
  },
  'a missing field': {
    plant: (holder, name) => delete holder[name],
    applies: always,
    kind: /^missing there$/,
    isPartial: false,
  },
  'a new field': {
    plant: (holder) => (holder['extra'] = 'new'),
    applies: () => true,
    kind: /^missing here$/,
    isPartial: false,
  },
  'another type': {
    plant: (holder, name) => (holder[name] = { other: holder[name] ?? null }),
    applies: (name) => !['object', 'nullable', 'optional'].includes(name),
    kind: /^type$/,
    isPartial: false,
  },
  'another type at times': {
    plant: (holder, name) => (holder[name] = [1]),
    applies: (name) => !['texts', 'rows', 'nullable', 'optional'].includes(name),
    kind: /^type$/,
    isPartial: true,
  },
  'another format': {
    plant: (holder, name) => (holder[name] = `no ${name}`),
    applies: (name) => ['time', 'date', 'email', 'uuid'].includes(name),
    kind: /^format$/,
    isPartial: false,
  },
}

const linesOf = (differences: readonly Difference[]): string[] =>
  differences.map((one) => `${one.kind} ${one.path}: ${describeDifference(one)}`)

/** A random shape, and a random change at a random place of the other side. */
const plan = fc.record({
  names: shape,
  title: fc.constantFrom(...Object.keys(changes)),
  pick: fc.nat({ max: 20 }),
  isNested: fc.boolean(),
  isSameData: fc.boolean(),
  start: fc.nat({ max: count - 8 }),
})

type Plan = typeof plan extends fc.Arbitrary<infer Value> ? Value : never

/** Creates both sides with a planted change; undefined if the change applies to no field of the shape. */
function plant({ names, title, pick, isNested, isSameData, start }: Plan): Planted | undefined {
  const change = changes[title]
  const fitting = names.filter((name) => change?.applies(name))
  const name = fitting[pick % (fitting.length || 1)]
  if (!change || name === undefined) return undefined
  const theirs = toRecords(names, isSameData ? 'a' : 'bb')
  const end = change.isPartial ? start + 8 : count
  for (const record of theirs.slice(change.isPartial ? start : 0, end)) {
    change.plant(isNested ? (record['nested'] as JsonRecord) : record, name)
  }
  const field = title === 'a new field' ? 'extra' : name
  const path = `posts${isNested ? '.nested' : ''}.${field}`
  return { posts: toRecords(names, 'a'), theirs, change, path }
}

interface Planted {
  posts: JsonRecord[]
  theirs: JsonRecord[]
  change: Change
  path: string
}

describe('random shapes', () => {
  it('do not differ without a change', () => {
    fc.assert(
      fc.property(shape, (names) => {
        const [posts, theirs] = [toRecords(names, 'a'), toRecords(names, 'bb')]
        expect(linesOf(findDifferences({ posts }, { posts: theirs }))).toEqual([])
      }),
      { numRuns: 100 },
    )
  })

  it('show each plain change, once, with its path and an example', () => {
    fc.assert(
      fc.property(plan, (chosen) => {
        const found = plant(chosen)
        if (!found) return
        const { posts, theirs, change, path } = found
        const differences = findDifferences({ posts }, { posts: theirs })
        expect(linesOf(differences)).toEqual([expect.stringContaining(path)])
        expect(differences[0]?.kind).toMatch(change.kind)
        if (!['null', 'optional'].includes(differences[0]?.kind ?? '')) {
          expect(differences[0]?.example).toBeDefined()
        }
      }),
      { numRuns: 150 },
    )
  })

  it('do not differ after an update', () => {
    fc.assert(
      fc.property(plan, fc.boolean(), (chosen, areOthers) => {
        const found = plant(chosen)
        if (!found) return
        const { posts, theirs } = found
        const differences = findDifferences({ posts }, { posts: theirs })
        // The other side can have other records.
        const sameAs = (value: Json): Json | undefined =>
          areOthers ? undefined : theirs.find(({ id }) => isRecord(value) && id === value['id'])
        const { values, left } = updateValues(posts, differences, { values: theirs, sameAs })
        expect(left).toEqual([])
        expect(values).toHaveLength(posts.length)
        const after = findDifferences({ posts: values }, { posts: theirs })
        expect(linesOf(after)).toEqual([])
      }),
      { numRuns: 150 },
    )
  })
})
