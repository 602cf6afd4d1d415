import { describe, expect, it } from 'vitest'

import type { FormField } from '../../../src/core/http/messages.ts'
import { parseMultipart } from '../../../src/faces/multipart.ts'

const head = 'Content-Disposition: form-data; name='

const forms: [title: string, type: string, body: string][] = [
  ['a text', 'boundary=x', `--x\r\n${head}"a"\r\n\r\nb\r\n--x--\r\n`],
  ['an empty text', 'boundary=x', `--x\r\n${head}"a"\r\n\r\n\r\n--x--\r\n`],
  [
    'lines and signs of other scripts',
    'boundary=x',
    `--x\r\n${head}"ä"\r\n\r\nö\r\n\r\n--y\r\n--x--\r\n`,
  ],
  ['escaped names', 'boundary=x', `--x\r\n${head}"%22a%0D%0Ab%41"\r\n\r\nb\r\n--x--\r\n`],
  ['a quoted boundary', 'boundary="x y"', `--x y\r\n${head}"a"\r\n\r\nb\r\n--x y--\r\n`],
  [
    'a name twice',
    'boundary=x',
    `--x\r\n${head}"a"\r\n\r\n1\r\n--x\r\n${head}"a"\r\n\r\n2\r\n--x--\r\n`,
  ],
  [
    'a file',
    'boundary=x',
    `--x\r\n${head}"f"; filename="ü.txt"\r\nContent-Type: text/css\r\n\r\nü\r\n--x--\r\n`,
  ],
  [
    'a file without a type',
    'boundary=x',
    `--x\r\n${head}"f"; filename="a"\r\n\r\nabc\r\n--x--\r\n`,
  ],
  [
    'an empty file',
    'boundary=x',
    `--x\r\n${head}"f"; filename=""\r\nContent-Type: a/b\r\n\r\n\r\n--x--\r\n`,
  ],
]

const broken: [title: string, type: string, body: string][] = [
  ['no boundary', '', `--x\r\n${head}"a"\r\n\r\nb\r\n--x--\r\n`],
  ['another boundary', 'boundary=y', `--x\r\n${head}"a"\r\n\r\nb\r\n--x--\r\n`],
  ['no end', 'boundary=x', `--x\r\n${head}"a"\r\n\r\nb\r\n`],
  ['a part without a head', 'boundary=x', '--x\r\nb\r\n--x--\r\n'],
  ['a part without a name', 'boundary=x', '--x\r\nContent-Type: a/b\r\n\r\nb\r\n--x--\r\n'],
  ['a text', 'boundary=x', 'a=b'],
]

describe('parseMultipart', () => {
  it.each(forms)('reads %s as the platform does', async (_title, parameter, body) => {
    const type = `multipart/form-data; ${parameter}`
    const fields = parseMultipart(toBinary(body), type)
    expect(fields).toEqual(await readByPlatform(type, body))
    expect(fields).not.toEqual([])
  })

  it.each(broken)('refuses %s, as the platform does', async (_title, parameter, body) => {
    const type = `multipart/form-data; ${parameter}`
    expect(() => parseMultipart(toBinary(body), type)).toThrow(TypeError)
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
      const [field] = parseMultipart(toBinary(body), 'multipart/form-data; boundary=x')
      expect(field).toEqual(['f', expect.objectContaining({ name, size: 1 })])
    }
  })

  it('keeps every byte of a file', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    const start = new TextEncoder().encode(
      `--x\r\n${head}"f"; filename="a"\r\nContent-Type: a/b\r\n\r\n`,
    )
    const body = Uint8Array.from([...start, ...bytes, ...new TextEncoder().encode('\r\n--x--')])
    const url = `data:a/b;base64,${Buffer.from(bytes).toString('base64')}`
    expect(
      parseMultipart(Buffer.from(body).toString('latin1'), 'multipart/form-data; boundary=x'),
    ).toEqual([['f', { name: 'a', type: 'a/b', size: 256, url }]])
  })
})

/** The UTF-8 of a text, one sign for each byte. */
function toBinary(text: string): string {
  return Buffer.from(text).toString('latin1')
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
