import { describe, expect, it } from 'vitest'

import { createRng } from '../../src/core/time/random.ts'
import { createMock } from '../../src/index.ts'
import { seed } from '../seed.ts'
import { createCheck } from './check-response.ts'
import { configurations } from './configurations.ts'
import { documentOf } from './document.ts'
import { createTraffic, type Memory, remember, toBytes } from './traffic.ts'

/** How many requests are sent for each document. */
const count = Number(process.env['OPENAPI_REQUESTS'] ?? 300)

const rows = configurations.map(([title, config, prepare]) => ({ title, config, prepare }))

describe.each(rows)('the document of $title', ({ config, prepare }) => {
  it(`describes the responses to ${count} random requests (seed ${seed})`, async () => {
    const mock = createMock(config())
    const document = documentOf(mock)
    const check = createCheck(document)
    const memory: Memory = { tags: [], cursors: [], headers: (await prepare?.(mock)) ?? {} }
    const next = createTraffic(document, mock, createRng(seed).next, memory)
    const problems: string[] = []
    for (let at = 0; at < count; at++) {
      const { placed, method, url, headers, body } = next()
      const request = new Request(`http://localhost${mock.base}${url}`, {
        method,
        headers,
        body: toBytes(body),
      })
      const response = await mock.fetch(request)
      const isStream =
        response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
      const text = isStream ? '' : await response.text()
      if (isStream) await response.body?.cancel()
      remember(memory, response.headers)
      const found = check(placed, { status: response.status, headers: response.headers, text })
      problems.push(...found.map((one) => `${method} ${url} ${body ?? ''}: ${one}`))
    }
    expect(problems.slice(0, 10)).toEqual([])
  })
})
