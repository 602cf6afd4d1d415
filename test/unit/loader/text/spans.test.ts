import JSON5 from 'json5'
import { describe, expect, it } from 'vitest'

import { isRecord, type Json } from '../../../../src/core/json/json.ts'
import { childSpans, createLocator, rootSpan } from '../../../../src/loader/text/spans.ts'
import { fc } from '../../../fast-check.ts'

describe('spans', () => {
  it.each([undefined, 2, '\t'])(
    'cover exactly what each value parses from, indent %j',
    (indent) => {
      fc.assert(
        fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
          const text = JSON.stringify(value, null, indent)
          const span = rootSpan(text)
          expect(text.slice(span.start, span.end)).toBe(text)
          expectSpans(text, span.start, JSON.parse(text) as Json)
        }),
      )
    },
  )

  const json5 = `// first
{ unquoted: 'it''s'.x, }`.replace("'it''s'.x", String.raw`'it\'s "so" // no comment'`)

  const rows: [title: string, text: string][] = [
    ['comments, single quotes and a trailing comma', json5],
    [
      'keys with escapes and symbols',
      String.raw`{"a\u0062": 1, $x: 2, 'c d': [3, /* ] */ 4,], ünï: .5}`,
    ],
    ['comments in every gap', '/**/[/*1*/1/*,*/,/*2*/{/**/a/**/:/**/+1/**/,/**/}/**/,/**/]/**/'],
    ['numbers of every form', '[0x1F, -.5, +1e3, Infinity // last\n]'],
    ['odd white space and a line comment at the end', '\u00a0[\v1,\f2]\u2028// end'],
  ]

  it.each(rows)('read JSON5 with %s', (_title, text) => {
    expectSpans(text, rootSpan(text).start, JSON5.parse<Json>(text))
  })

  it('are found in finite time in any text', () => {
    const char = fc.constantFrom(' ', ...String.raw`[ ] { } , : / * " ' \ a 1`.split(' '))
    fc.assert(
      fc.property(fc.array(char, { maxLength: 12 }), fc.constantFrom('[', '{'), (rest, open) => {
        const text = open + rest.join('')
        expect(childSpans(text, 0, 20).length).toBeLessThan(text.length)
      }),
      { numRuns: 2000 },
    )
  })

  it('are those of the last member with a key, as in JSON.parse', () => {
    expect(createLocator('{"a":1,"a":2}')(['a'])).toMatchObject({ start: 11, keyStart: 7 })
  })

  it('are those of the nearest parent if there is no such value', () => {
    expect(createLocator('[{"id":1}]')([0, 'x'])).toMatchObject({ start: 1, end: 9 })
  })
})

/** Every child's text parses to the child. */
function expectSpans(text: string, at: number, value: Json): void {
  const children = childSpans(text, at)
  if (typeof value !== 'object' || value === null) {
    expect(children).toEqual([])
    return
  }
  expect(children.map((child) => String(child.key)).sort()).toEqual(Object.keys(value).sort())
  for (const child of children) {
    const inner = isRecord(value) ? value[child.key] : value[Number(child.key)]
    expect(JSON5.parse(text.slice(child.start, child.end))).toEqual(inner)
    expectSpans(text, child.start, inner ?? null)
  }
}
