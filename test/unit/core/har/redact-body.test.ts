import { describe, expect, it } from 'vitest'
import { redactJson } from '../../../../src/core/har/redact-body.ts'
import { createRedactor } from '../../../../src/core/log/redact.ts'
import { fc } from '../../../fast-check.ts'

const redactor = createRedactor()

const texts: [title: string, text: string, shown: string][] = [
  ['a string', '{"a":1,"password":"S3CRET"}', '{"a":1,"password":"[redacted]"}'],
  ['a number', '{"pin":1234,"a":1}', '{"pin":"[redacted]","a":1}'],
  ['null at the end', '{"pin":null}', '{"pin":"[redacted]"}'],
  ['an object', '{"token":{"a":["}"]},"b":2}', '{"token":"[redacted]","b":2}'],
  ['an array', '[{"secret":[1,[2],"]"]},3]', '[{"secret":"[redacted]"},3]'],
  ['an empty string', '{"token":"","a":""}', '{"token":"[redacted]","a":""}'],
  [
    'escaped quotation marks',
    String.raw`{"token":"a\"b\\","a":"\\\""}`,
    String.raw`{"token":"[redacted]","a":"\\\""}`,
  ],
  ['an escaped key', String.raw`{"pass\u0077ord":"S3CRET"}`, '{"pass\\u0077ord":"[redacted]"}'],
  ['a key that is repeated', '{"a":{"pin":1},"a":2}', '{"a":{"pin":"[redacted]"},"a":2}'],
  [
    'indented text',
    '{\n  "pin" : 1.0 ,\n  "a" : 1e2\n}\n',
    '{\n  "pin" : "[redacted]" ,\n  "a" : 1e2\n}\n',
  ],
  [
    'a step of a patch',
    '[{"op":"add","path":"/user/pin","value": {"a":1} }]',
    '[{"op":"add","path":"/user/pin","value": "[redacted]" }]',
  ],
  [
    'a step whose path comes last',
    '[{"value":"S3CRET" , "op":"add","path":"/pin"}]',
    '[{"value":"[redacted]" , "op":"add","path":"/pin"}]',
  ],
  ['a step of another field', '{"path":"/a","value":1}', '{"path":"/a","value":1}'],
  ['a path that is no string', '{"path":{"a":1},"value":1}', '{"path":{"a":1},"value":1}'],
  [
    'a secret in a value',
    '{"value":{"pin":1},"path":"/pin"}',
    '{"value":"[redacted]","path":"/pin"}',
  ],
  ['a URL', '{"next":"/a?b=1&token=S3CRET","c":1}', '{"next":"/a?b=1&token=[redacted]","c":1}'],
  ['text in a string', '{"a":"the \\"password\\":1"}', '{"a":"the \\"password\\":1"}'],
  ['a text that ends in a secret', '{"a":1,"password":"S3CR', '{"a":1,"password":"[redacted]"'],
  ['a text that ends in an object', '{"a":1,"token":{"b":{"c":1}', '{"a":1,"token":"[redacted]"'],
  ['a text that ends in a key', '{"a":1,"passw', '{"a":1,"passw'],
  ['a text that ends after a colon', '{"pin":', '{"pin":"[redacted]"'],
  [
    'a text that ends in a step',
    '{"path":"/pin","value":"S3C',
    '{"path":"/pin","value":"[redacted]"',
  ],
  ['brackets that do not match', '}]{"pin":1}}', '}]{"pin":"[redacted]"}}'],
  ['no object', '"password"', '"password"'],
  ['an empty text', '', ''],
]

describe('redactJson', () => {
  it.each(texts)('redacts %s', (_title, text, shown) => {
    expect(redactJson(text, redactor)).toBe(shown)
  })

  const key = fc.constantFrom('a', 'b', 'value', 'password', 'apiKey', '__proto__', 'x"y', 'ключ')
  const text = fc.string({ unit: 'grapheme' }).filter((one) => !one.includes('?'))
  const leaf = fc.oneof(text, fc.double(), fc.boolean(), fc.constant(null))
  const { json } = fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(tie('json'), { maxLength: 4 }),
      fc
        .tuple(
          fc.dictionary(key, tie('json'), { maxKeys: 4, noNullPrototype: true }),
          fc.option(fc.constantFrom('/a', '/pin'), { nil: undefined }),
          fc.boolean(),
        )
        .map(([object, path, isFirst]) =>
          path === undefined ? object : isFirst ? { path, ...object } : { ...object, path },
        ),
    ),
  }))

  it('redacts what the log redacts, in any JSON with any indentation', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(0, 2, '\t'), (value, indent) => {
        const written = JSON.stringify(value, null, indent)
        const shown = redactJson(written, redactor)
        const expected = redactor.redactBody(JSON.parse(written) as unknown)
        expect(JSON.parse(shown)).toEqual(expected)
        if (!shown.includes('[redacted]')) expect(shown).toBe(written)
      }),
    )
  })

  it('takes any text', () => {
    const part = fc.constantFrom(...Array.from('"{}[]:,\\ ?&='), 'pin', 'value')
    fc.assert(fc.property(fc.array(part), (parts) => void redactJson(parts.join(''), redactor)))
  })
})
