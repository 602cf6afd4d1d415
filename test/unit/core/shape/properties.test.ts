import formats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import type { Json, JsonRecord } from '../../../../src/core/json/json.ts'
import { toSchema } from '../../../../src/core/shape/describe/to-schema.ts'
import { toStatistics } from '../../../../src/core/shape/describe/to-statistics.ts'
import {
  createNode,
  mergeNode,
  type StatisticsNode,
} from '../../../../src/core/shape/observe/node.ts'
import { observe, observeAll } from '../../../../src/core/shape/observe/observe.ts'
import type { SchemaObject } from '../../../../src/core/types/json-schema.ts'
import { createShapes } from '../../../../src/core/shape/shapes.ts'
import { toSources } from '../../../../src/core/shape/sources.ts'
import { fc } from '../../../fast-check.ts'
import { formatted, records } from './random-records.ts'

function schemaOf(value: Json): SchemaObject {
  const [shape] = createShapes()(toSources({ things: value }))
  return shape?.schema ?? {}
}

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
formats.default(ajv)

/** Validates with a validator that shares no code with the schemas. */
function compile(schema: SchemaObject): (value: unknown) => boolean {
  const validate = ajv.compile(schema)
  return (value) => validate(value)
}

/** A schema with its lists in one order, as their order says nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map(sorted).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, sorted(inner)]))
}

describe('an inferred schema', () => {
  it('allows every record that it was inferred from', () => {
    fc.assert(
      fc.property(records, (all) => {
        const isValid = compile(schemaOf(all))
        expect(all.filter((record) => !isValid(record))).toEqual([])
      }),
    )
  })

  it('allows a value of any kind that it was inferred from', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const document = [[value as Json]]
        expect(compile(schemaOf(document))(document)).toBe(true)
      }),
    )
  })

  it('does not depend on the order of the records', () => {
    fc.assert(
      fc.property(records, fc.infiniteStream(fc.nat()), (all, numbers) => {
        const shuffled = all
          .map((record) => ({ record, at: numbers.next().value as number }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ record }) => record)
        expect(sorted(schemaOf(shuffled))).toEqual(sorted(schemaOf(all)))
      }),
    )
  })
})

describe('observations', () => {
  const halves = fc.tuple(records, records)

  it('are the same of all records at once and one after the other', () => {
    fc.assert(
      fc.property(halves, ([first, second]) => {
        const node = observeAll(first)
        for (const record of second) observe(node, record)
        expect(describeNode(node)).toEqual(describeNode(observeAll([...first, ...second])))
      }),
    )
  })

  it('are the same of all records at once and of two parts that are merged', () => {
    fc.assert(
      fc.property(halves, ([first, second]) => {
        const node = createNode()
        mergeNode(node, observeAll(first))
        mergeNode(node, observeAll(second))
        expect(describeNode(node)).toEqual(describeNode(observeAll([...first, ...second])))
      }),
    )
  })

  function describeNode(node: StatisticsNode): unknown[] {
    const statistics = toStatistics(node, true)
    return [statistics, toSchema(statistics)]
  }
})

describe('a changed record', () => {
  const count = 60
  const toRecords = (all: readonly Json[]): JsonRecord[] =>
    all.map((value, at) => ({ id: at, field: value }))
  const size = { minLength: count, maxLength: count }
  const field = (values: fc.Arbitrary<Json>): fc.Arbitrary<JsonRecord[]> =>
    fc.array(values, size).map(toRecords)

  /** What is not valid for values of each kind. */
  const changes: [title: string, values: fc.Arbitrary<Json>, others: Json[]][] = [
    ['integers', fc.integer(), [1.5, 'x', true, null, [], {}]],
    [
      'numbers',
      fc.double({ noNaN: true, noDefaultInfinity: true, noInteger: true }),
      ['1', true, null, [1], {}],
    ],
    ['texts', fc.string(), [1, true, null, ['x'], {}]],
    ['booleans', fc.boolean(), [1, 'true', null, [], {}]],
    ['lists', fc.array(fc.integer(), { minLength: 1 }), [1, 'x', null, {}, [1, 'x']]],
    ['objects', fc.record({ a: fc.integer() }), [1, 'x', null, [], {}, { a: 'x' }]],
    ['maps', fc.dictionary(fc.uuid(), fc.integer(), { minKeys: 1 }), [1, 'x', { a: 'x' }]],
    ['objects or texts', fc.oneof(fc.record({ a: fc.integer() }), fc.string()), [1, null, [], {}]],
  ]

  it.each(changes)('is not valid with another type than %s', (_title, values, others) => {
    fc.assert(
      fc.property(field(values), (all) => {
        const isValid = compile(schemaOf(all))
        expect(others.filter((other) => isValid({ id: 1, field: other }))).toEqual([])
      }),
      { numRuns: 20 },
    )
  })

  it('is not valid without a field that all records have', () => {
    fc.assert(
      fc.property(field(fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<Json>), (all) => {
        expect(compile(schemaOf(all))({ id: 1 })).toBe(false)
      }),
      { numRuns: 20 },
    )
  })

  it('is not valid with another value than those of an enum', () => {
    const values = fc.shuffledSubarray(['draft', 'review', 'done', 'gone'], { minLength: 2 })
    fc.assert(
      fc.property(values, (names) => {
        const all = Array.from({ length: count }, (_, at) => ({
          id: at,
          field: names[at % names.length] ?? '',
        }))
        const isValid = compile(schemaOf(all))
        expect([isValid({ id: 1, field: names[0] }), isValid({ id: 1, field: 'other' })]).toEqual([
          true,
          false,
        ])
      }),
    )
  })

  it.each(Object.entries(formatted))('is not valid without the format %s', (claim, values) => {
    fc.assert(
      fc.property(fc.uniqueArray(values, size), (all) => {
        const schema = schemaOf(toRecords(all))
        const { format, pattern } =
          (schema['properties'] as Record<string, SchemaObject>)['field'] ?? {}
        expect(format ?? pattern).toBe(claim)
        const isValid = compile(schema)
        expect(
          ['no such thing', '', '12:30'].filter((text) => isValid({ id: 1, field: text })),
        ).toEqual([])
      }),
      { numRuns: 20 },
    )
  })
})
