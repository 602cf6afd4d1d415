import { describe, expect, it } from 'vitest'

import { internalsOf } from '../../src/core/http/contract/internals.ts'
import { createRng } from '../../src/core/time/random.ts'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/node.ts'
import { seed } from '../seed.ts'
import { configurations } from './configurations.ts'
import { databases } from './databases.ts'
import { documentOf } from './document.ts'
import { findViolation, startCommand, startCommands, startProxies } from './prism.ts'
import { createTraffic, type Memory, remember, toBytes } from './traffic.ts'

/** How many requests are sent for each document: `OPENAPI_REQUESTS=1000` for a longer run. */
const count = Number(process.env['OPENAPI_REQUESTS'] ?? 50)

/** `PRISM=command` sends them through the command, of which two processes start for each document. */
const start = process.env['PRISM'] === 'command' ? startCommands : startProxies

const rows = configurations.map(([title, config, prepare]) => ({ title, config, prepare }))

describe.each(rows)('Prism in front of $title', ({ config, prepare }) => {
  it(`finds no violation in ${count} random requests (seed ${seed})`, async () => {
    const mock = createMock(config())
    const document = documentOf(mock)
    const server = await serve(mock, { port: 0 })
    const proxies = await start(document, server.url)
    const memory: Memory = { tags: [], cursors: [], headers: (await prepare?.(mock)) ?? {} }
    const next = createTraffic(document, mock, createRng(seed).next, memory)
    const violations: string[] = []
    try {
      for (let at = 0; at < count; at++) {
        const { method, url, headers, body, isAllowed } = next()
        const proxy = isAllowed ? proxies.strict : proxies.lenient
        const signal = AbortSignal.timeout(60_000)
        const response = await fetch(proxy + url, {
          method,
          headers,
          body: toBytes(body),
          signal,
        }).catch((error: unknown) => new Response(`stoplight.io/prism/errors ${String(error)}`))
        const text = await response.text()
        remember(memory, response.headers)
        const found = findViolation(response.headers, text)
        if (found !== undefined)
          violations.push(`${method} ${url} ${body ?? ''}: ${found.slice(0, 600)}`)
      }
    } finally {
      await proxies.close()
      await server.close()
    }
    expect(violations.slice(0, 5)).toEqual([])
  })
})

describe('the command `prism proxy --errors`', () => {
  it('finds no violation in a request of each kind', async () => {
    const mock = createMock({ fixtures: databases['library'] ?? {}, seed: 1 })
    const server = await serve(mock, { port: 0 })
    const prism = await startCommand(documentOf(mock), server.url, [])
    const json = { 'Content-Type': 'application/json' }
    const loan = {
      bookId: internalsOf(mock).store.collection('books').records()[0]?.['id'],
      member: 'm-1',
      dueOn: '2026-05-01',
      returnedAt: null,
    }
    const body = JSON.stringify(loan)
    const requests: [status: number, path: string, init?: RequestInit][] = [
      [200, '/books?_sort=-price&_page=1&_limit=2&_embed=author'],
      [200, '/books?_page=1&_per_page=2'],
      [200, '/loans?dueOn_gte=2026-03-02&_fields=id,member'],
      [404, '/loans/99'],
      [201, '/loans', { method: 'POST', headers: json, body }],
      [200, '/loans/3', { method: 'PUT', headers: json, body }],
      [200, '/loans/3', { method: 'PATCH', headers: json, body: '{"member":"m-2"}' }],
      [200, '/loans/3', { method: 'DELETE' }],
      [200, '/settings'],
      [204, '/genres', { method: 'OPTIONS' }],
    ]
    try {
      for (const [status, path, init] of requests) {
        const response = await fetch(prism.url + path, init)
        expect([path, findViolation(response.headers, await response.text())]).toEqual([
          path,
          undefined,
        ])
        expect([path, response.status]).toEqual([path, status])
      }
    } finally {
      await prism.close()
      await server.close()
    }
  })
})
