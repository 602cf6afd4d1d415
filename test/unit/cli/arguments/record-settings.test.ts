import { describe, expect, it } from 'vitest'

import { parseArguments } from '../../../../src/cli/arguments/parse-arguments.ts'
import {
  type RecordSettings,
  toRecordSettings,
} from '../../../../src/cli/arguments/record-settings.ts'

async function parse(...args: string[]): Promise<RecordSettings> {
  const parsed = await parseArguments(['record', ...args], 80)
  if ('text' in parsed) throw new Error(parsed.text)
  return toRecordSettings(parsed, {})
}

describe('the command line of mock record', () => {
  const rows: [title: string, args: string[], expected: Partial<RecordSettings>][] = [
    [
      'has defaults',
      ['https://api.example.com'],
      {
        target: 'https://api.example.com',
        upstream: 'https://api.example.com',
        port: undefined,
        host: 'localhost',
        out: 'fixtures',
        only: undefined,
        redact: undefined,
        headers: {},
        isInsecure: false,
        limit: 8_388_608,
      },
    ],
    [
      'learns below the path of the URL',
      ['http://API.example.com:80/v1/'],
      { target: 'http://api.example.com/v1', upstream: 'http://api.example.com', only: ['/v1/*'] },
    ],
    ['lets --only win over the path', ['http://a/v1', '--only', '/v1/x'], { only: ['/v1/x'] }],
    [
      'reads lists',
      ['http://a', '--only', '/a/*', '--only', '/b', '--redact', 'email,phone', '--redact', 'name'],
      { only: ['/a/*', '/b'], redact: ['email', 'phone', 'name'] },
    ],
    [
      'reads headers',
      ['http://a', '--header', 'Authorization: Bearer a:b ', '--header', 'X-Key:1'],
      { headers: { Authorization: 'Bearer a:b', 'X-Key': '1' } },
    ],
    [
      'reads a port and a limit',
      ['http://a', '--port', '0', '--limit', '100'],
      { port: 0, limit: 100 },
    ],
    ['reads flags', ['http://a', '--insecure', '--quiet'], { isInsecure: true, isQuiet: true }],
  ]

  it.each(rows)('%s', async (_title, args, expected) => {
    expect(await parse(...args)).toMatchObject(expected)
  })

  const mistakes: [args: string[], message: string][] = [
    [[], 'one URL of a real API'],
    [['http://a', 'http://b'], 'one URL of a real API'],
    [['api.example.com'], 'Please write "npx fixtura record https://api.example.com"'],
    [['localhost:8080'], 'Please write "npx fixtura record http://localhost:8080"'],
    [['ws://a'], 'Please write "npx fixtura record https://a"'],
    [['http://user:secret@a'], 'credentials go into --header'],
    [['http://a?b'], 'without a query'],
    [
      ['http://a', '--header', 'Bearer secret'],
      "Please write --header 'Authorization: Bearer <token>'",
    ],
    [['http://a', '--limit', '5MB'], '--limit'],
    [['http://a', '--port', 'x'], 'is not a port'],
    [['http://a', '--prot', '1'], 'Did you mean "--port"'],
  ]

  it.each(mistakes)('refuses %j', async (args, message) => {
    await expect(parse(...args)).rejects.toThrow(message)
  })

  it('shows no secret in a message', async () => {
    await expect(parse('http://a', '--header', 'secret')).rejects.not.toThrow('secret')
  })
})
