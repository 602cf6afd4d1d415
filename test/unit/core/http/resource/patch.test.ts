import { describe, expect, it } from 'vitest'

import { parsePatch } from '../../../../../src/core/http/resource/patch.ts'
import { toLimits } from '../../../../../src/core/http/contract/limits.ts'
import type { Json, JsonRecord } from '../../../../../src/core/json/json.ts'

/** What a patch makes of a document, or the status that answers it. */
function apply(document: JsonRecord, patch: Json): JsonRecord | number {
  const before = structuredClone(document)
  try {
    return parsePatch(patch, toLimits({}))(document)
  } catch (error) {
    return (error as { status: number }).status
  } finally {
    expect(document).toEqual(before)
  }
}

describe('the examples of RFC 6902, appendix A', () => {
  const examples: [
    title: string,
    document: JsonRecord,
    patch: Json,
    expected: JsonRecord | number,
  ][] = [
    [
      'A.1 adds an object member',
      { foo: 'bar' },
      [{ op: 'add', path: '/baz', value: 'qux' }],
      { baz: 'qux', foo: 'bar' },
    ],
    [
      'A.2 adds an array element',
      { foo: ['bar', 'baz'] },
      [{ op: 'add', path: '/foo/1', value: 'qux' }],
      { foo: ['bar', 'qux', 'baz'] },
    ],
    [
      'A.3 removes an object member',
      { baz: 'qux', foo: 'bar' },
      [{ op: 'remove', path: '/baz' }],
      { foo: 'bar' },
    ],
    [
      'A.4 removes an array element',
      { foo: ['bar', 'qux', 'baz'] },
      [{ op: 'remove', path: '/foo/1' }],
      { foo: ['bar', 'baz'] },
    ],
    [
      'A.5 replaces a value',
      { baz: 'qux', foo: 'bar' },
      [{ op: 'replace', path: '/baz', value: 'boo' }],
      { baz: 'boo', foo: 'bar' },
    ],
    [
      'A.6 moves a value',
      { foo: { bar: 'baz', waldo: 'fred' }, qux: { corge: 'grault' } },
      [{ op: 'move', from: '/foo/waldo', path: '/qux/thud' }],
      { foo: { bar: 'baz' }, qux: { corge: 'grault', thud: 'fred' } },
    ],
    [
      'A.7 moves an array element',
      { foo: ['all', 'grass', 'cows', 'eat'] },
      [{ op: 'move', from: '/foo/1', path: '/foo/3' }],
      { foo: ['all', 'cows', 'eat', 'grass'] },
    ],
    [
      'A.8 tests a value: success',
      { baz: 'qux', foo: ['a', 2, 'c'] },
      [
        { op: 'test', path: '/baz', value: 'qux' },
        { op: 'test', path: '/foo/1', value: 2 },
      ],
      { baz: 'qux', foo: ['a', 2, 'c'] },
    ],
    ['A.9 tests a value: error', { baz: 'qux' }, [{ op: 'test', path: '/baz', value: 'bar' }], 409],
    [
      'A.10 adds a nested member object',
      { foo: 'bar' },
      [{ op: 'add', path: '/child', value: { grandchild: {} } }],
      { foo: 'bar', child: { grandchild: {} } },
    ],
    [
      'A.11 ignores unrecognized elements',
      { foo: 'bar' },
      [{ op: 'add', path: '/baz', value: 'qux', xyz: 123 }],
      { foo: 'bar', baz: 'qux' },
    ],
    [
      'A.12 adds to a nonexistent target',
      { foo: 'bar' },
      [{ op: 'add', path: '/baz/bat', value: 'qux' }],
      409,
    ],
    [
      'A.14 orders ~ escapes',
      { '/': 9, '~1': 10 },
      [{ op: 'test', path: '/~01', value: 10 }],
      { '/': 9, '~1': 10 },
    ],
    [
      'A.15 compares strings and numbers',
      { '/': 9, '~1': 10 },
      [{ op: 'test', path: '/~01', value: '10' }],
      409,
    ],
    [
      'A.16 adds an array value',
      { foo: ['bar'] },
      [{ op: 'add', path: '/foo/-', value: ['abc', 'def'] }],
      { foo: ['bar', ['abc', 'def']] },
    ],
  ]

  it.each(examples)('%s', (_, document, patch, expected) => {
    expect(apply(document, patch)).toEqual(expected)
  })
})

describe('an operation', () => {
  const rows: [title: string, document: JsonRecord, patch: Json, expected: JsonRecord | number][] =
    [
      [
        'replaces the whole document',
        { a: 1 },
        [{ op: 'replace', path: '', value: { b: 2 } }],
        { b: 2 },
      ],
      ['adds the whole document', { a: 1 }, [{ op: 'add', path: '', value: { b: 2 } }], { b: 2 }],
      ['leaves an object in the end', { a: 1 }, [{ op: 'add', path: '', value: [] }], 409],
      ['does not remove the whole document', { a: 1 }, [{ op: 'remove', path: '' }], 409],
      [
        'copies a value',
        { a: [1] },
        [
          { op: 'copy', from: '/a', path: '/b' },
          { op: 'add', path: '/b/0', value: 0 },
        ],
        { a: [1], b: [0, 1] },
      ],
      ['moves to where it is', { a: 1 }, [{ op: 'move', from: '/a', path: '/a' }], { a: 1 }],
      [
        'does not move into itself',
        { a: { b: {} } },
        [{ op: 'move', from: '/a', path: '/a/b' }],
        409,
      ],
      [
        'does not move a list element into itself',
        { a: [{ b: 1 }, { c: 2 }] },
        [{ op: 'move', from: '/a/0', path: '/a/0/x' }],
        409,
      ],
      ['does not move what is missing', { a: 1 }, [{ op: 'move', from: '/b', path: '/c' }], 409],
      [
        'does not replace what is missing',
        { a: 1 },
        [{ op: 'replace', path: '/b', value: 1 }],
        409,
      ],
      ['does not remove what is missing', { a: 1 }, [{ op: 'remove', path: '/b' }], 409],
      ['does not remove what is inherited', { a: 1 }, [{ op: 'remove', path: '/toString' }], 409],
      [
        'does not reach into a text',
        { a: 'x' },
        [{ op: 'copy', from: '/a/length', path: '/b' }],
        409,
      ],
      ['does not add into a text', { a: 'x' }, [{ op: 'add', path: '/a/b', value: 1 }], 409],
      [
        'does not reach into a prototype',
        { a: 1 },
        [{ op: 'add', path: '/constructor/prototype/x', value: 1 }],
        409,
      ],
      [
        'adds a key named __proto__ as data',
        { a: 1 },
        [
          { op: 'add', path: '/__proto__', value: { x: 1 } },
          { op: 'remove', path: '/a' },
        ],
        JSON.parse('{"__proto__":{"x":1}}'),
      ],
      ['adds null', { a: 1 }, [{ op: 'add', path: '/b', value: null }], { a: 1, b: null }],
      ['tests null', { a: null }, [{ op: 'test', path: '/a', value: null }], { a: null }],
      [
        'tests objects in any order',
        { a: { b: 1, c: 2 } },
        [{ op: 'test', path: '/a', value: { c: 2, b: 1 } }],
        { a: { b: 1, c: 2 } },
      ],
      [
        'appends at the index behind the last',
        { a: [1] },
        [{ op: 'add', path: '/a/1', value: 2 }],
        { a: [1, 2] },
      ],
      ['does not add further behind', { a: [1] }, [{ op: 'add', path: '/a/2', value: 2 }], 409],
      ['does not take a leading zero', { a: [1, 2] }, [{ op: 'remove', path: '/a/01' }], 409],
      ['does not remove behind the last', { a: [1] }, [{ op: 'remove', path: '/a/-' }], 409],
      [
        'changes nothing when a later one fails',
        { a: 1 },
        [
          { op: 'replace', path: '/a', value: 2 },
          { op: 'test', path: '/a', value: 1 },
        ],
        409,
      ],
      ['has a list around it', { a: 1 }, { op: 'remove', path: '/a' }, 400],
      ['is an object', { a: 1 }, ['remove'], 400],
      ['is not null', { a: 1 }, [null], 400],
      ['has a known name', { a: 1 }, [{ op: 'spam', path: '/a' }], 400],
      ['has no inherited name', { a: 1 }, [{ op: 'toString', path: '/a' }], 400],
      ['has a name', { a: 1 }, [{ path: '/a' }], 400],
      ['has a name that is a text', { a: 1 }, [{ op: ['remove'], path: '/a' }], 400],
      ['has a path', { a: 1 }, [{ op: 'remove' }], 400],
      ['has a path that begins with a slash', { a: 1 }, [{ op: 'remove', path: 'a' }], 400],
      ['has a path with whole escapes', { a: 1 }, [{ op: 'remove', path: '/~2' }], 400],
      ['has a value to add', { a: 1 }, [{ op: 'add', path: '/b' }], 400],
      ['has a value to replace', { a: 1 }, [{ op: 'replace', path: '/a' }], 400],
      ['has a value to test', { a: 1 }, [{ op: 'test', path: '/a' }], 400],
      ['has a source to copy', { a: 1 }, [{ op: 'copy', path: '/b' }], 400],
      [
        'is not one of too many',
        { a: 1 },
        Array.from({ length: 1001 }, () => ({ op: 'test', path: '/a', value: 1 })),
        413,
      ],
      [
        'does not copy copies until no memory is left',
        { a: ['x'.repeat(1000)] },
        Array.from({ length: 60 }, () => ({ op: 'copy', from: '/a', path: '/a/-' })),
        413,
      ],
      [
        'does not move a long list again and again',
        { a: Array.from({ length: 600_000 }, () => 0) },
        Array.from({ length: 1000 }, () => ({ op: 'remove', path: '/a/1' })),
        413,
      ],
      [
        'does not copy texts until no memory is left',
        { a: 'x'.repeat(20_000) },
        Array.from({ length: 60 }, (_, at) => ({ op: 'copy', from: '/a', path: `/b${at}` })),
        413,
      ],
      [
        'does not replace by what is nested deeper than a body may be',
        { a: { b: { c: 1 } } },
        [{ op: 'replace', path: '/a/b/c', value: nested(99) }],
        409,
      ],
      [
        'does not nest copies deeper than a body may be',
        { a: {} },
        Array.from({ length: 100 }, () => ({ op: 'copy', from: '', path: '/a' })),
        409,
      ],
    ]

  it.each(rows)('%s', (_, document, patch, expected) => {
    expect(apply(document, patch)).toEqual(expected)
  })

  it('names what it does not find', () => {
    const patch = parsePatch([{ op: 'remove', path: '/a~1b/0' }], toLimits({}))
    expect(() => patch({ a: 1 })).toThrow('there is no "/a~1b/0"')
  })
})

/** A list in a list, so many levels deep. */
function nested(depth: number): Json {
  return depth === 0 ? 1 : [nested(depth - 1)]
}
