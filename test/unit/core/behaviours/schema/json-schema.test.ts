import { describe, expect, it } from 'vitest'

import { createJsonSchemas } from '../../../../../src/core/behaviours/schema/json-schema.ts'

describe('a validator', () => {
  it.each([
    ['uniqueItems', { uniqueItems: true }, true],
    ['uniqueItems where two are equal', { uniqueItems: true }, false],
  ])('reads each element once for %s', (_, schema, isUnique) => {
    let reads = 0
    const elements = Array.from({ length: 20_000 }, (_, at) => ({
      kind: 'element',
      get id() {
        reads++
        return isUnique ? at : Math.min(at, 19_998)
      },
    }))
    expect(validator(schema)(elements)).toEqual(
      isUnique ? [] : [{ path: [], message: 'holds an element twice', keyword: 'uniqueItems' }],
    )
    expect(reads).toBe(20_000)
  })

  it.each([
    [
      [
        { a: 1, b: [2] },
        { b: [2], a: 1 },
      ],
      false,
    ],
    [[{ a: 1 }, { a: '1' }], true],
    [[1, '1', true, 'true', null, 'null', [1], ['1'], '[1]', {}, '{}'], true],
    [[0, -0], false],
    [[[['a,b']], [['a', 'b']]], true],
    [[JSON.parse('{"__proto__":1}'), {}], true],
  ])('finds equal elements in %j: unique is %j', (list, isUnique) => {
    expect(validator({ uniqueItems: true })(list).length === 0).toBe(isUnique)
  })

  it.each([
    [0.0075, 0.0001, true],
    [4.35, 0.01, true],
    [0.3, 0.1, true],
    [1e308, 1e-300, true],
    [1e308, 0.123456789, false],
    [1e-7, 1e-8, true],
    [-4.5, 1.5, true],
    [2 ** 60, 3, false],
    [5, 2, false],
  ])(
    'takes decimals as they are written: %d is a multiple of %d: %j',
    (value, step, isMultiple) => {
      expect(validator({ multipleOf: step })(value).length === 0).toBe(isMultiple)
    },
  )

  it('reports the first of more issues than a response can list', () => {
    const validate = validator({ items: { type: 'string' } })
    expect(validate(Array(50_000).fill(0))).toHaveLength(50_000)
    expect(validate(Array(50_001).fill(0))).toEqual([
      { path: [0], message: 'has to be a string', keyword: 'type', limit: ['string'] },
    ])
  })

  it('reports a value that is nested too deeply', () => {
    const validate = validator({ items: { $ref: '#' } })
    let value: unknown = []
    for (let depth = 0; depth < 200_000; depth++) value = [value]
    expect(validate(value)).toEqual([{ path: [], message: 'is nested too deeply to be validated' }])
  })

  it('ignores later changes to the schema', () => {
    const schema = { const: { a: 1 }, required: ['a'] }
    const validate = validator(schema)
    schema.const.a = 2
    schema.required.push('b')
    expect(validate({ a: 1 })).toEqual([])
  })

  it('keeps the path of each issue', () => {
    const validate = validator({
      properties: { 'a/b~c %': { items: { minimum: 3 } } },
      patternProperties: { '^x': { propertyNames: { pattern: '^y' } } },
    })
    expect(validate({ 'a/b~c %': [5, 1], x: { z: 1 } })).toEqual([
      { path: ['a/b~c %', 1], message: 'has to be at least 3', keyword: 'minimum', limit: 3 },
      { path: ['x', 'z'], message: 'has the wrong form', keyword: 'pattern', limit: '^y' },
    ])
  })

  it('reports no issue of a branch that another branch makes up for', () => {
    const validate = validator({
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
      oneOf: [{ required: ['a'] }, { properties: { b: { minimum: 1 } } }],
    })
    expect(validate({ b: 1 })).toEqual([])
  })

  it('reports the issues of the branch that a condition chooses', () => {
    const validate = validator(
      JSON.parse(`{
        "if": { "required": ["a"] },
        "then": { "properties": { "a": { "type": "string" } } },
        "else": { "properties": { "b": { "type": "string" } } }
      }`),
    )
    expect(validate({ a: 1, b: 1 })).toEqual([
      { path: ['a'], message: 'has to be a string', keyword: 'type', limit: ['string'] },
    ])
    expect(validate({ b: 1 })).toEqual([
      { path: ['b'], message: 'has to be a string', keyword: 'type', limit: ['string'] },
    ])
  })

  it('refuses what no keyword of the schema or of its references has evaluated', () => {
    const validate = validator({
      $ref: '#/$defs/named',
      anyOf: [{ properties: { age: { type: 'integer' } }, required: ['age'] }, true],
      unevaluatedProperties: false,
      $defs: { named: { properties: { name: { type: 'string' } } } },
    })
    expect(validate({ name: 1, age: 2, extra: 3 })).toEqual([
      { path: ['name'], message: 'has to be a string', keyword: 'type', limit: ['string'] },
      { path: ['extra'], message: 'is not allowed', keyword: 'false' },
    ])
  })
})

describe('a reference', () => {
  it.each([
    ['my posts', 'my posts.schema.json'],
    ['my posts', 'my%20posts.schema.json'],
    ['v1/users', 'v1/users.schema.json'],
    ['größe', 'größe.schema.json'],
    ['größe', 'gr%C3%B6%C3%9Fe.schema.json'],
  ])('finds the file of "%s" as %s', (name, reference) => {
    const compile = createJsonSchemas({ posts: { $ref: reference }, [name]: false })
    expect(compile('posts')(1)).toEqual([{ path: [], message: 'is not allowed', keyword: 'false' }])
  })

  it('is relative to the folder of its file', () => {
    const compile = createJsonSchemas({
      'v1/posts': { properties: { a: { $ref: 'users.schema.json' } } },
      'v1/users': { type: 'string' },
      'v2/posts': { $ref: '../v1/posts.schema.json' },
    })
    expect(compile('v2/posts')({ a: 1 })).toEqual([
      { path: ['a'], message: 'has to be a string', keyword: 'type', limit: ['string'] },
    ])
  })

  it('finds parts that no keyword holds', () => {
    const compile = createJsonSchemas({
      posts: { $ref: '#/components/post', components: { post: { $ref: '#title' }, a: {} } },
      users: { $ref: '#/components/0', components: [{ type: 'string' }] },
    })
    expect(() => compile('posts')).toThrow('at #/components/post: the $ref "#title" leads nowhere')
    expect(compile('users')(1)).toEqual([
      { path: [], message: 'has to be a string', keyword: 'type', limit: ['string'] },
    ])
  })
})

function validator(schema: unknown): ReturnType<ReturnType<typeof createJsonSchemas>> {
  return createJsonSchemas({ posts: schema })('posts')
}
