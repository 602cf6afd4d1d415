import { describe, expect, it } from 'vitest'
import {
  applyDescriptions,
  toDraft2020,
} from '../../../../src/core/shape/declared/apply-descriptions.ts'
import type { JsonSchema, SchemaObject } from '../../../../src/core/types/json-schema.ts'
import type { RecordDescription } from '../../../../src/core/types/record-description.ts'
import { objectOf } from './object-of.ts'

const inferred: SchemaObject = objectOf(
  {
    id: 'integer',
    title: 'string',
    at: { type: ['string', 'null'], format: 'date' },
    author: objectOf({ name: 'string', age: 'integer' }, ['name', 'age']),
    tags: { type: 'array', items: { type: 'string' } },
  },
  ['id', 'title', 'author'],
)

function apply(...descriptions: RecordDescription[]): SchemaObject {
  return applyDescriptions(inferred, descriptions, 'id').schema
}

/** The inferred schema with other properties and required fields. */
function expected(
  properties: Record<string, unknown>,
  required: string[],
  rest: object = {},
): SchemaObject {
  const all = { ...(inferred['properties'] as object), ...properties }
  const given = Object.fromEntries(Object.entries(all).filter(([, schema]) => schema !== undefined))
  return { type: 'object', properties: given, required, ...rest }
}

describe('a declared schema', () => {
  const rows: [title: string, declared: JsonSchema, expected: SchemaObject][] = [
    ['that allows everything changes nothing', true, inferred],
    ['without keywords changes nothing', {}, inferred],
    [
      'decides about the fields that it names',
      { properties: { title: { type: 'string', minLength: 3 } } },
      expected({ title: { type: 'string', minLength: 3 } }, ['id', 'author']),
    ],
    [
      'adds limits to an inferred type',
      { properties: { title: { maxLength: 9 } }, required: ['title'] },
      expected({ title: { type: 'string', maxLength: 9 } }, ['id', 'author', 'title']),
    ],
    [
      'replaces a format',
      { properties: { at: { type: 'string', format: 'date-time' } } },
      expected({ at: { type: 'string', format: 'date-time' } }, ['id', 'title', 'author']),
    ],
    [
      'decides field by field inside of objects',
      {
        properties: { author: objectOf({ age: 'number' }) },
        required: ['author'],
      },
      expected(
        {
          author: objectOf({ name: 'string', age: 'number' }, ['name']),
        },
        ['id', 'title', 'author'],
      ),
    ],
    [
      'keeps the elements of an array that it does not describe',
      { properties: { tags: { type: 'array', maxItems: 3 } } },
      expected({ tags: { type: 'array', maxItems: 3, items: { type: 'string' } } }, [
        'id',
        'title',
        'author',
      ]),
    ],
    [
      'adds fields behind the others',
      { properties: { extra: { type: 'boolean' } }, required: ['extra'] },
      expected({ extra: { type: 'boolean' } }, ['id', 'title', 'author', 'extra']),
    ],
    [
      'that allows no other fields keeps only the id',
      {
        properties: { title: { type: 'string' } },
        required: ['title'],
        additionalProperties: false,
      },
      {
        ...objectOf({ id: 'integer', title: 'string' }, ['id', 'title']),
        additionalProperties: false,
      },
    ],
    [
      'always has the id',
      { properties: { id: { type: 'integer', minimum: 1 } } },
      expected({ id: { type: 'integer', minimum: 1 } }, ['id', 'title', 'author']),
    ],
    [
      'decides about fields of the parts that it is composed of',
      {
        $defs: { dated: { properties: { at: { type: 'string' } } } },
        allOf: [{ $ref: '#/$defs/dated' }, { properties: { title: { enum: ['a'] } } }],
      },
      expected({ title: undefined, at: undefined }, ['id', 'author'], {
        $defs: { dated: { properties: { at: { type: 'string' } } } },
        allOf: [{ $ref: '#/$defs/dated' }, { properties: { title: { enum: ['a'] } } }],
      }),
    ],
    [
      'replaces everything where it refers to another document',
      { $ref: 'things.schema.json' },
      { $ref: 'things.schema.json' },
    ],
    [
      'keeps its other keywords',
      {
        title: 'A post',
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        minProperties: 2,
      },
      { ...inferred, title: 'A post', minProperties: 2 },
    ],
  ]

  it.each(rows)('%s', (_title, schema, result) => {
    expect(apply({ schema })).toEqual(result)
  })

  it('is applied before what is added to single fields', () => {
    const fields = { title: { schema: { readOnly: true }, isRequired: true, isFilled: true } }
    const schema = { properties: { title: { type: 'string', minLength: 3 } } }
    expect(
      applyDescriptions(inferred, [{ fields, unique: [['title']] }, { schema }], 'id'),
    ).toEqual({
      schema: expected({ title: { type: 'string', minLength: 3, readOnly: true } }, [
        'id',
        'author',
        'title',
      ]),
      filled: ['title'],
      unique: [['title']],
    })
  })
})

describe('a schema of an earlier draft', () => {
  const rows: [title: string, schema: SchemaObject, expected: SchemaObject][] = [
    [
      'definitions',
      { definitions: { a: { type: 'string' } }, properties: { a: { $ref: '#/definitions/a' } } },
      { $defs: { a: { type: 'string' } }, properties: { a: { $ref: '#/$defs/a' } } },
    ],
    [
      'lists of items',
      { items: [{ type: 'string' }], additionalItems: false },
      { prefixItems: [{ type: 'string' }], items: false },
    ],
    [
      'additional items of no list',
      { items: { type: 'string' }, additionalItems: false },
      { items: { type: 'string' } },
    ],
    [
      'dependencies',
      { dependencies: { a: ['b'], c: { required: ['d'] } } },
      { dependentRequired: { a: ['b'] }, dependentSchemas: { c: { required: ['d'] } } },
    ],
    [
      'exclusive limits as flags',
      { minimum: 1, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: false },
      { exclusiveMinimum: 1, maximum: 5 },
    ],
    [
      'exclusive limits as numbers',
      { exclusiveMinimum: 1, minimum: 0 },
      { exclusiveMinimum: 1, minimum: 0 },
    ],
    [
      'the id of draft 4',
      { $schema: 'http://json-schema.org/draft-04/schema#', id: 'http://a' },
      { $id: 'http://a' },
    ],
    [
      'a field named like a keyword',
      { properties: { definitions: { type: 'string' } } },
      { properties: { definitions: { type: 'string' } } },
    ],
    [
      'values that look like keywords',
      { enum: [{ definitions: 1 }] },
      { enum: [{ definitions: 1 }] },
    ],
    [
      'schemas inside of schemas',
      { anyOf: [{ items: [true] }] },
      { anyOf: [{ prefixItems: [true] }] },
    ],
  ]

  it.each(rows)('is written with the keywords of 2020-12 for %s', (_title, schema, result) => {
    expect(toDraft2020(schema)).toEqual(result)
  })
})
