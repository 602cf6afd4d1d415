import { describe, expect, it } from 'vitest'

import { isRecord, type Json } from '../../../../src/core/json/json.ts'
import { toOutline } from '../../../../src/loader/text/outline.ts'
import {
  type ListSplice,
  parseIncrementally,
} from '../../../../src/loader/watch/incremental-parse.ts'
import { fc } from '../../../fast-check.ts'

type Found = Pick<ListSplice, 'key' | 'from' | 'to' | 'values'>

describe('parseIncrementally', () => {
  const rows: [title: string, before: string, now: string, expected: Found][] = [
    ['a changed element', '[1,2,3]', '[1,20,3]', { key: undefined, from: 1, to: 2, values: [20] }],
    ['a longer first element', '[1,2]', '[11,2]', { key: undefined, from: 0, to: 1, values: [11] }],
    ['a longer last element', '[1,2]', '[1,22]', { key: undefined, from: 1, to: 2, values: [22] }],
    [
      'a changed field',
      '{"a":[{"id":1,"t":"x"},{"id":2,"t":"y"}]}',
      '{"a":[{"id":1,"t":"x"},{"id":2,"t":"z"}]}',
      { key: 'a', from: 1, to: 2, values: [{ id: 2, t: 'z' }] },
    ],
    [
      'an element put in front',
      '[ {"id":1} ]',
      '[ {"id":0}, {"id":1} ]',
      { key: undefined, from: 0, to: 1, values: [{ id: 0 }, { id: 1 }] },
    ],
    [
      'an element put in front of the white space',
      '[\n1]',
      '[0,\n1]',
      { key: undefined, from: 0, to: 1, values: [0, 1] },
    ],
    ['an element put behind', '[1]', '[1, 2]', { key: undefined, from: 0, to: 1, values: [1, 2] }],
    [
      'an element that is gone',
      '[1,2,3]',
      '[1,3]',
      { key: undefined, from: 1, to: 3, values: [3] },
    ],
    [
      'two elements that have changed places',
      '[1,"a",[2],4]',
      '[1,[2],"a",4]',
      { key: undefined, from: 1, to: 3, values: [[2], 'a'] },
    ],
    [
      'quotes, brackets and commas inside a text',
      '["a\\"],[",{"b":"]"}]',
      '["a\\"],[",{"b":"]}"}]',
      { key: undefined, from: 1, to: 2, values: [{ b: ']}' }] },
    ],
    [
      'a list behind another',
      '\uFEFF{"ü":[1],"n":{"m":[3]},"b":[2]}',
      '\uFEFF{"ü":[1],"n":{"m":[3]},"b":["ä"]}',
      { key: 'b', from: 0, to: 1, values: ['ä'] },
    ],
  ]

  it.each(rows)('parses only %s', (_title, before, now, expected) => {
    expect(parseText(before, now)).toMatchObject(expected)
  })

  const others: [title: string, before: string, now: string][] = [
    ['the last element is gone', '[1]', '[]'],
    ['a list was empty', '[]', '[1]'],
    ['an element is gone, but not its comma', '[1,2]', '[1,]'],
    ['two lists have changed', '{"a":[1],"b":[1]}', '{"a":[2],"b":[2]}'],
    ['a key has changed', '{"a":[1]}', '{"b":[1]}'],
    ['a list is no list any more', '{"a":[1]}', '{"a":{"b":[1]}}'],
    ['a list is inside an object', '{"a":{"b":[1]}}', '{"a":{"b":[2]}}'],
    ['a key stands twice', '{"a":[1],"a":[1]}', '{"a":[2],"a":[1]}'],
    ['a key stands twice in other words', '{"a":[1],"\\u0061":[1]}', '{"a":[2],"\\u0061":[1]}'],
    ['a list ends and another begins', '[1,2,3]', '[1],[3]'],
    ['a save is not whole', '[{"id":1,"a":[1]},{"id":2,"a":[1]}]', '[{"id":1,"a":[1]}'],
    ['an element does not parse', '[1,2]', '[1,x]'],
  ]

  it.each(others)('returns undefined where %s', (_title, before, now) => {
    expect(parseText(before, now)).toBe(undefined)
  })

  it('returns undefined for more elements than an outline holds', () => {
    const before = Array.from({ length: 200_000 }, () => 1)
    const now = [2, ...before, 2]
    expect(parseText(JSON.stringify(before), JSON.stringify(now))).toBe(undefined)
    expect(toOutline(Buffer.from(JSON.stringify(now)))).toBe(undefined)
  })

  it('returns undefined for bytes that are not UTF-8', () => {
    const before = Buffer.from('["ab"]')
    const now = Buffer.from(before)
    now[2] = 0xff
    expect(
      parseIncrementally({ bytes: before, outline: outlineOf(before) }, now, () => ['ab']),
    ).toBe(undefined)
  })

  const lists: [title: string, change: (at: number) => boolean, kept: number][] = [
    ['both ends', (at) => at === 0 || at === 299, 298],
    ['every third element', (at) => at % 3 === 0, 200],
    ['the first half', (at) => at < 150, 150],
    ['the first half and the last', (at) => at < 150 || at === 299, 0],
    ['every element', () => true, 0],
  ]

  it.each(lists)(
    'keeps old values where %s changed, while that saves time',
    (_title, isChanged, kept) => {
      const before = Array.from({ length: 300 }, (_, id): Json => ({ id, t: 'a' }))
      const now = before.map((one, at) => (isChanged(at) ? { id: at, t: 'bb' } : one))
      for (const text of [JSON.stringify(now), JSON.stringify([{ id: 300 }, ...now])]) {
        const bytes = Buffer.from(JSON.stringify(before))
        const saved = Buffer.from(text)
        const splice = parseIncrementally({ bytes, outline: outlineOf(bytes) }, saved, () => before)
        const { from = 0, to = 0, values = [] } = splice ?? {}
        expect(before.toSpliced(from, to - from, ...values)).toEqual(JSON.parse(text))
        expect(saved.toString()).toBe(text)
        const inside = values.filter((value) => before.includes(value)).length
        expect(from + inside + before.length - to).toBe(kept)
      }
    },
  )

  it('finds what parsing the whole text finds, after any edits', () => {
    const list = fc.array(fc.jsonValue({ maxDepth: 2 }), { maxLength: 5 })
    const file = fc.oneof(list, fc.dictionary(fc.constantFrom('a', 'b', 'ü'), list))
    const layout = fc.constantFrom(undefined, 1, '\t')
    const edit = fc.tuple(fc.nat(), fc.nat(3), fc.string({ unit: character, maxLength: 3 }))
    let count = 0
    fc.assert(
      fc.property(file, layout, fc.array(edit, { maxLength: 3 }), (value, indent, edits) => {
        let text = JSON.stringify(value, null, indent)
        let bytes = Buffer.from(text)
        let outline = outlineOf(bytes)
        let held = JSON.parse(text) as Json
        for (const [place, gone, added] of edits) {
          const at = place % (text.length + 1)
          const next = text.slice(0, at) + added + text.slice(at + gone)
          const now = Buffer.from(next)
          const splice = parseIncrementally({ bytes, outline }, now, (key) => listOf(held, key))
          if (!splice) continue
          count++
          held = apply(held, splice)
          expect(held).toEqual(JSON.parse(next))
          outline = outlineOf(now)
          expect(splice.outline).toEqual(outline)
          bytes = now
          text = next
        }
      }),
      { numRuns: 2000 },
    )
    expect(count).toBeGreaterThan(100)
  })
})

const character = fc.constantFrom('[', ']', '{', '}', ',', ':', '"', '\\', ' ', '1', 'ä')

function parseText(before: string, now: string): ListSplice | undefined {
  const bytes = Buffer.from(before)
  const outline = toOutline(bytes)
  const value = JSON.parse(before.replace('\uFEFF', '')) as Json
  return (
    outline && parseIncrementally({ bytes, outline }, Buffer.from(now), (key) => listOf(value, key))
  )
}

function listOf(value: Json, key: string | undefined): Json[] | undefined {
  const list = key === undefined ? value : isRecord(value) ? value[key] : undefined
  return Array.isArray(list) ? list : undefined
}

function outlineOf(bytes: Buffer) {
  return toOutline(bytes) ?? { lists: [] }
}

function apply(value: Json, { key, from, to, values }: ListSplice): Json {
  const now = (listOf(value, key) ?? []).toSpliced(from, to - from, ...values)
  return key === undefined ? now : { ...(value as object), [key]: now }
}
