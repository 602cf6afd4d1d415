import { describe, expect, it, vi } from 'vitest'

import { MockError } from '../../../../src/core/errors/mock-error.ts'
import type { FormField } from '../../../../src/core/http/contract/messages.ts'
import { parseMultipart } from '../../../../src/faces/web/multipart.ts'

const head = 'Content-Disposition: form-data; name='

/** A form of parts, each a head and a body. */
function toForm(...parts: [head: string, body: string][]): string {
  const written = parts.map(([rest, body]) => `--x\r\n${head}${rest}\r\n\r\n${body}\r\n`)
  return `${written.join('')}--x--\r\n`
}

const forms: [title: string, body: string, boundary?: string][] = [
  ['a text', toForm(['"a"', 'b'])],
  ['an empty text', toForm(['"a"', ''])],
  ['lines and signs of other scripts', toForm(['"ä"', 'ö\r\n\r\n--y'])],
  ['escaped names', toForm(['"%22a%0D%0Ab%41"', 'b'])],
  [
    'the line separator of Unicode in names',
    toForm(['"a\u2028b"; filename="c\u2028Content-Type: d/e"\r\nContent-Type: f/g', 'h']),
  ],
  ['a quoted boundary', `--x y\r\n${head}"a"\r\n\r\nb\r\n--x y--\r\n`, '"x y"'],
  ['a name twice', toForm(['"a"', '1'], ['"a"', '2'])],
  ['a file', toForm(['"f"; filename="ü.txt"\r\nContent-Type: text/css', 'ü'])],
  ['a file without a type', toForm(['"f"; filename="a"', 'abc'])],
  ['an empty file', toForm(['"f"; filename="a"\r\nContent-Type: a/b', ''])],
  ['a file without a name', toForm(['"f"; filename=""\r\nContent-Type: a/b', 'c'])],
]

const broken: [title: string, type: string, body: string][] = [
  ['no boundary', '', toForm(['"a"', 'b'])],
  ['another boundary', 'boundary=y', toForm(['"a"', 'b'])],
  ['no end', 'boundary=x', `--x\r\n${head}"a"\r\n\r\nb\r\n`],
  ['a part without a head', 'boundary=x', '--x\r\nb\r\n--x--\r\n'],
  ['a part without a name', 'boundary=x', '--x\r\nContent-Type: a/b\r\n\r\nb\r\n--x--\r\n'],
  ['a text', 'boundary=x', 'a=b'],
]

describe('parseMultipart', () => {
  it.each(forms)('reads %s as the platform does', async (_title, body, boundary = 'x') => {
    const type = `multipart/form-data; boundary=${boundary}`
    const fields = parseMultipart(Buffer.from(body), type)
    expect(fields).toEqual(await readByPlatform(type, body))
    expect(fields).not.toEqual([])
  })

  // Node before 24 takes it away.
  it('keeps a mark of the order of bytes', () => {
    const body = `--x\r\n${head}"a"\r\n\r\n\uFEFFb\r\n--x--\r\n`
    const fields = parseMultipart(Buffer.from(body), 'multipart/form-data; boundary=x')
    expect(fields).toEqual([['a', '\uFEFFb']])
  })

  it.each(broken)('refuses %s, as the platform does', async (_title, parameter, body) => {
    const type = `multipart/form-data; ${parameter}`
    expect(() => parseMultipart(Buffer.from(body), type)).toThrow(MockError)
    await expect(readByPlatform(type, body)).rejects.toThrow(TypeError)
  })

  it.each([
    ['in quotes', 'filename="a b"', 'a b'],
    ['without quotes', 'filename=a.txt', 'a.txt'],
    ['with a quote in it', 'filename="a\\"b"', 'a"b'],
    ['with a sign for a folder', 'filename="c:\\a"', 'c:\\a'],
    ['in other signs', "filename*=UTF-8''%C3%BC.txt", 'ü.txt'],
    ['in both ways', `filename="u.txt"; filename*=utf-8'de'%C3%BC%27.txt`, "ü'.txt"],
    ['in a broken way beside another', `filename="u.txt"; filename*=utf-8''%FF`, 'u.txt'],
    ['that is like a parameter', 'filename="; name=x"', '; name=x'],
  ])('reads the name of a file %s', (_title, parameter, name) => {
    for (const disposition of [`name=f; ${parameter}`, `${parameter}; name="f"`]) {
      const body = `--x\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n1\r\n--x--\r\n`
      const [field] = parseMultipart(Buffer.from(body), 'multipart/form-data; boundary=x')
      expect(field).toEqual(['f', expect.objectContaining({ name, size: 1 })])
    }
  })

  const bytes = Uint8Array.from({ length: 100_000 }, (_, at) => at % 256)
  const file = ['f', { name: 'a', type: 'a/b', size: 100_000, url: toUrl(bytes) }]

  it.each([
    ['in Node', globalThis.Buffer],
    ['in a page', undefined],
  ])('keeps every byte of a file %s', async (_title, ways) => {
    const body = Buffer.concat([
      Buffer.from(`preamble\r\n--x\r\n${head}"f"; filename="a"\r\nContent-Type: a/b\r\n\r\n`),
      bytes,
      Buffer.from('\r\n--x--'),
    ])
    vi.stubGlobal('Buffer', ways)
    vi.resetModules()
    const fresh = await import('../../../../src/faces/web/multipart.ts')
    const fields = fresh.parseMultipart(new Uint8Array(body), 'multipart/form-data; boundary=x')
    vi.unstubAllGlobals()
    expect(fields).toEqual([file])
  })

  it('passes over what comes before and after', () => {
    const body = `a\r\n--x\r\n${head}"a"\r\n\r\n1\r\n--x--\r\nb\r\n--x\r\n\r\n--x--\r\n`
    const fields = parseMultipart(Buffer.from(body), 'multipart/form-data; boundary=x')
    expect(fields).toEqual([['a', '1']])
  })

  it('refuses a head that is longer than the stack', () => {
    const body = `--x\r\n${head}a; filename="${'x'.repeat(9_000_000)}"\r\n\r\n1\r\n--x--`
    const type = 'multipart/form-data; boundary=x'
    expect(() => parseMultipart(Buffer.from(body), type)).toThrow(MockError)
  })
})

function toUrl(bytes: Uint8Array): string {
  return `data:a/b;base64,${Buffer.from(bytes).toString('base64')}`
}

async function readByPlatform(type: string, body: string): Promise<FormField[]> {
  const form = await new Response(body, { headers: { 'Content-Type': type } }).formData()
  return Promise.all(
    Array.from(form, async ([name, value]): Promise<FormField> => {
      if (typeof value === 'string') return [name, value]
      const content = Buffer.from(await value.arrayBuffer()).toString('base64')
      const url = `data:${value.type};base64,${content}`
      return [name, { name: value.name, type: value.type, size: value.size, url }]
    }),
  )
}
