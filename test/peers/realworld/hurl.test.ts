import { describe, expect, it } from 'vitest'

import { type HurlRequest, parseHurl, runHurl } from './hurl.ts'

const answers: Readonly<Record<string, { status: number; value?: unknown }>> = {
  'POST /cups': { status: 201, value: { id: 7, name: 'x', empty: [], at: '2026-01-01T00:00:00Z' } },
  'GET /cups/7': { status: 200, value: { cups: [{ id: 7, weight: 1.5 }, { id: 8 }], next: null } },
  'DELETE /cups/7': { status: 204 },
}

/** Runs a text, and returns its report and the requests that it sent. */
async function run(text: string, variables: Record<string, unknown> = { host: 'http://x.test' }) {
  const requests: HurlRequest[] = []
  const report = await runHurl(parseHurl(text), variables, async (request) => {
    requests.push(request)
    const { pathname } = new URL(request.url)
    const { status = 404, value } = answers[`${request.method} ${pathname}`] ?? {}
    const headers = { 'content-type': 'application/json' }
    return { status, headers, text: value === undefined ? '' : JSON.stringify(value) }
  })
  return { ...report, requests }
}

describe('the interpreter of Hurl', () => {
  it('sends requests with headers, bodies and captured values', async () => {
    const { requests, ...report } = await run(
      `
# A cup
POST {{host}}/cups
X-Kind: {{kind}}
{
  "name": "{{kind}}",

  "tags": ["a"]
}
HTTP 201
[Captures]
id: jsonpath "$.id"

DELETE {{host}}/cups/{{id}}
HTTP 204
`,
      { host: 'http://x.test', kind: 'tall' },
    )
    expect(report).toEqual({ checks: 2, failures: [] })
    expect(requests).toEqual([
      {
        method: 'POST',
        url: 'http://x.test/cups',
        headers: { 'content-type': 'application/json', 'X-Kind': 'tall' },
        body: '{\n  "name": "tall",\n\n  "tags": ["a"]\n}',
      },
      { method: 'DELETE', url: 'http://x.test/cups/7', headers: {}, body: undefined },
    ])
  })

  const lines: [assert: string, holds: boolean][] = [
    ['jsonpath "$.cups[0].id" == 7', true],
    ['jsonpath "$.cups[0].id" == {{seven}}', true],
    ['jsonpath "$.cups[0].id" == "7"', false],
    ['jsonpath "$.cups[0].id" != 7', false],
    ['jsonpath "$.cups[0].id" >= 7', true],
    ['jsonpath "$.cups[0].id" > 7', false],
    ['jsonpath "$.cups[0].id" <= 7', true],
    ['jsonpath "$.cups[0].id" < 7', false],
    ['jsonpath "$.cups[0].id" isInteger', true],
    ['jsonpath "$.cups[0].weight" isInteger', false],
    ['jsonpath "$.cups[0].weight" isFloat', true],
    ['jsonpath "$.cups[0].weight" isNumber', true],
    ['jsonpath "$.cups[0].weight" isString', false],
    ['jsonpath "$.cups[0]" isObject', true],
    ['jsonpath "$.cups" isObject', false],
    ['jsonpath "$.cups" isList', true],
    ['jsonpath "$.cups" isCollection', true],
    ['jsonpath "$.cups" isEmpty', false],
    ['jsonpath "$.cups" not isEmpty', true],
    ['jsonpath "$.cups" count == 2', true],
    ['jsonpath "$.cups" count == 3', false],
    ['jsonpath "$.next" count == 0', false],
    ['jsonpath "$.next" == null', true],
    ['jsonpath "$.next" exists', true],
    ['jsonpath "$.next" isBoolean', false],
    ['jsonpath "$.prev" exists', false],
    ['jsonpath "$.prev" not exists', true],
    ['jsonpath "$.prev" == null', false],
    ['jsonpath "$.prev" not isEmpty', false],
    ['header "Content-Type" contains "json"', true],
    ['header "Content-Type" startsWith "text"', false],
    ['header "Content-Type" endsWith "json"', true],
    ['header "Content-Type" matches "^\\\\w+/json$"', true],
    ['header "Content-Type" isIsoDate', false],
    ['header "X-Cup" exists', false],
    ['status == 200', true],
    ['body contains "weight"', true],
    ['body contains "height"', false],
  ]
  it.each(lines)('%s: %s', async (assert, holds) => {
    const text = `GET {{host}}/cups/7\nHTTP 200\n[Asserts]\n${assert}\n`
    const { checks, failures } = await run(text, { host: 'http://x.test', seven: 7 })
    expect(checks).toBe(2)
    expect(failures).toEqual(
      holds ? [] : [expect.stringContaining(`line 4: ${assert}, but it is `)],
    )
  })

  it('compares dates, empty lists and elements of lists', async () => {
    const { failures } = await run(`POST {{host}}/cups
HTTP 201
[Asserts]
jsonpath "$.at" isIsoDate
jsonpath "$.empty" isEmpty
jsonpath "$.empty" contains "x"
`)
    expect(failures).toEqual(['line 6: jsonpath "$.empty" contains "x", but it is []'])
  })

  it('reports a wrong status with the response', async () => {
    const { checks, failures } = await run('GET {{host}}/cups/9\nHTTP 200\n')
    expect(checks).toBe(1)
    expect(failures).toEqual(['line 1: GET {{host}}/cups/9 HTTP 200, but it is 404 '])
  })

  const unreadable: [title: string, text: string, message: string][] = [
    ['predicate', '[Asserts]\nstatus isOdd', 'Failed to read line 4'],
    ['predicate without its operand', '[Asserts]\nstatus ==', 'Failed to read line 4'],
    ['query', '[Asserts]\nxpath "//a" exists', 'Failed to read line 4'],
    ['section', '[Options]', 'Failed to read line 3'],
  ]
  it.each(unreadable)('refuses an unknown %s', async (_, text, message) => {
    await expect(run(`GET {{host}}/cups/7\nHTTP 200\n${text}\n`)).rejects.toThrow(message)
  })

  it('refuses a variable that is not set', async () => {
    await expect(run('GET {{host}}/{{cup}}\nHTTP 200\n')).rejects.toThrow(
      'Failed to fill in "cup": it is not set.',
    )
  })
})
