import { describe, expect, it } from 'vitest'

import { createRng } from '../../src/core/time/random.ts'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/node.ts'
import { seed } from '../seed.ts'
import { configurations } from './configurations.ts'
import { documentOf } from './document.ts'
import { findViolation, startProxies } from './prism.ts'
import { createTraffic, type Memory, remember, toBytes } from './traffic.ts'

/** How many requests are sent for each document: `OPENAPI_REQUESTS=1000` for a longer run. */
const count = Number(process.env['OPENAPI_REQUESTS'] ?? 50)

const rows = configurations.map(([title, config, prepare]) => ({ title, config, prepare }))

describe.each(rows)('Prism in front of $title', ({ config, prepare }) => {
  it(`finds no violation in ${count} random requests (seed ${seed})`, async () => {
    const mock = createMock(config())
    const document = documentOf(mock)
    const server = await serve(mock, { port: 0 })
    const proxies = await startProxies(document, server.url)
    const memory: Memory = { tags: [], cursors: [], headers: (await prepare?.(mock)) ?? {} }
    const next = createTraffic(document, mock, createRng(seed).next, memory)
    const violations: string[] = []
    try {
      for (let at = 0; at < count; at++) {
        const { method, url, headers, body, isAllowed } = next()
        const proxy = isAllowed ? proxies.strict : proxies.lenient
        const signal = AbortSignal.timeout(10_000)
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
