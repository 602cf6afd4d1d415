import { describe, expect, it, onTestFinished, vi } from 'vitest'

import {
  auth,
  events,
  fields,
  idempotency,
  limit,
  schema,
  sessions,
  states,
} from '../../src/behaviours.ts'
import { internalsOf } from '../../src/core/http/contract/internals.ts'
import { createRandom } from '../../src/core/time/random.ts'
import { jsonServer0, jsonServer1, jsonServer1Beta, simpleRest } from '../../src/dialects.ts'
import { createMock, type MockConfig } from '../../src/index.ts'
import { seed } from '../seed.ts'
import { type Attack, createAttacks } from './attacks.ts'
import { createFixtures } from './data.ts'

const count = Number(process.env['FUZZ_COUNT'] ?? 10_000) / 10

const variants: [title: string, config: MockConfig][] = [
  ['the dialect json-server-0', { dialect: jsonServer0 }],
  ['the dialect json-server-1', { dialect: jsonServer1 }],
  ['the dialect json-server-1-beta', { dialect: jsonServer1Beta }],
  ['the dialect simple-rest', { dialect: simpleRest }],
  ['a strict mock with preconditions', { strict: true, preconditions: true }],
  [
    'behaviours on records',
    {
      use: [
        fields({ posts: { timestamps: true } }),
        schema({ posts: { type: 'object', properties: { title: { type: 'string' } } } }),
        states({ posts: { field: 'status', initial: 'new', transitions: { new: ['done'] } } }),
      ],
    },
  ],
  [
    'behaviours on requests',
    { use: [sessions(), idempotency(), events(), limit({ requests: 1e6, per: '1m' })] },
  ],
  ['logins', { use: [auth({ protect: ['POST *', 'comments'] })] }],
]

describe.each(variants)('%s', (_, config) => {
  it(`has an answer to hostile requests of seed ${seed}`, async () => {
    const failed = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => failed.mockRestore())
    const mock = createMock({ fixtures: createFixtures(), seed, logSize: 100, ...config })
    const attacks = createAttacks(createRandom(`${seed} variants`))
    const statuses = new Map<number, number>()
    for (let at = 0; at < count; at++) {
      if (at % 250 === 249) mock.reset()
      const request = toRequest(attacks())
      if (!request) continue
      const { status, headers } = await internalsOf(mock).handle(request, { origins: 'any' })
      expect(status, JSON.stringify(request)).toBeLessThan(500)
      const isSplit = headers.some((line) => /[\r\n]/.test(line.join()))
      expect(isSplit, JSON.stringify(headers)).toBe(false)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    expect(failed.mock.calls).toEqual([])
    expect(statuses.get(200)).toBeGreaterThan(count / 50)
    mock.reset()
    const { status } = await mock.fetch(new Request('http://localhost/posts/40'))
    expect(status).toBe(200)
  })
})

/** What a server would make of the bytes of an attack; undefined where it is no request. */
function toRequest({ bytes }: Attack) {
  const text = bytes.toString('latin1')
  const end = text.indexOf('\r\n\r\n')
  const [line = '', ...lines] = text.slice(0, end).split('\r\n')
  const [, method, path, search = ''] = /^([A-Z-]+) (\/[^ ?]*)(\?\S*)? HTTP/.exec(line) ?? []
  if (method === undefined || path === undefined) return undefined
  const pairs = lines.map((one) => one.split(/: (.*)/s, 2))
  const headers = Object.fromEntries(
    pairs.map(([name = '', value = '']) => [name.toLowerCase(), value]),
  )
  const body = bytes.subarray(end + 4).toString()
  return {
    method,
    path,
    search,
    origin: 'http://localhost',
    headers,
    text: () => body,
    form: () => [],
  }
}
