import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { proxy } from '../../../src/behaviours.ts'
import { loadMock, serve } from '../../../src/node.ts'
import { startBackend } from '../proxy/backend.ts'
import { createFolder } from '../loader/folder.ts'

const rates = [
  { id: 'EUR', rate: 1.08 },
  { id: 'CHF', rate: 1.13 },
]

describe('proxy() with `record`', () => {
  it('writes fixtures, which answer when the real API is gone', async () => {
    const { origin, server } = await startBackend((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(rates))
    })
    const folder = createFolder({ 'fixtures/posts.json': [{ id: 1 }] })
    const fixtures = join(folder, 'fixtures')
    const mock = await loadMock({ fixtures, use: [proxy({ to: origin, record: true })] })
    const serving = await serve(mock, { port: 0, host: '127.0.0.1' })
    const response = await fetch(`${serving.url}/rates`)
    expect(await response.json()).toEqual(rates)
    await serving.close()
    server.close()
    expect(JSON.parse(readFileSync(join(fixtures, 'rates.json'), 'utf8'))).toEqual(rates)
    expect(JSON.parse(readFileSync(join(fixtures, 'posts.json'), 'utf8'))).toEqual([{ id: 1 }])
    const again = await loadMock({ fixtures })
    expect(await (await again.fetch('/rates/CHF')).json()).toEqual(rates[1])
  })

  describe('serves what it has recorded without a restart', () => {
    const list = { success: true, data: rates, total: 2 }
    const bodies: Record<string, unknown> = {
      '/rates': list,
      '/rates?page=2': { ...list, data: [] },
      '/rates/EUR': { success: true, data: rates[0] },
      '/rates/CHF': { success: true, data: rates[1] },
      '/plain': rates,
      '/plain/EUR': rates[0],
      '/plain/CHF': rates[1],
      '/reports/sales': { sum: [1, 2] },
    }

    async function start() {
      const requests: string[] = []
      const { origin, server } = await startBackend(({ method, url = '' }, response) => {
        requests.push(`${method} ${url}`)
        const body = bodies[url]
        response.writeHead(body === undefined ? 404 : 200, { 'Content-Type': 'application/json' })
        response.end(JSON.stringify(body ?? { error: 'none' }))
      })
      const folder = createFolder({ 'fixtures/posts.json': [{ id: 1 }] })
      const fixtures = join(folder, 'fixtures')
      const problems: { message: string }[] = []
      const mock = await loadMock(
        { fixtures, cwd: folder, use: [proxy({ to: origin, record: true })] },
        { onProblem: (problem) => problems.push(problem) },
      )
      const { url, close } = await serve(mock, { port: 0, host: '127.0.0.1' })
      const get = async (path: string, init: RequestInit = {}): Promise<[number, unknown]> => {
        const response = await fetch(url + path, init)
        return [response.status, await response.json()]
      }
      /** Requests a path until the real API is no longer asked. */
      const untilServed = (path: string): Promise<unknown> =>
        vi.waitFor(
          async () => {
            const before = requests.length
            expect(await get(path)).toEqual([200, bodies[path]])
            expect(requests.length).toBe(before)
          },
          { timeout: 10_000 },
        )
      onTestFinished(async () => {
        await close()
        server.close()
        // The end of a recording names the options that it has learned.
        expect(problems.filter(({ message }) => !message.startsWith('The recording of'))).toEqual(
          [],
        )
      })
      return { get, untilServed, requests, server }
    }

    it.each(Object.keys(bodies))('a read of %s', async (path) => {
      const { untilServed, server } = await start()
      await untilServed(path)
      server.close()
      server.closeAllConnections()
      await untilServed(path)
    })

    it('leaves other reads of a collection to the real API', async () => {
      const { get, untilServed, requests } = await start()
      await untilServed('/plain/EUR')
      for (const path of ['/plain/CHF', '/plain', '/plain/USD']) {
        expect((await get(path))[1]).toEqual(bodies[path] ?? { error: 'none' })
        expect(requests.at(-1)).toBe(`GET ${path}`)
      }
    })

    it('answers other reads of a collection if the real API is down', async () => {
      const { get, untilServed, server } = await start()
      await untilServed('/plain')
      server.close()
      server.closeAllConnections()
      expect(await get('/plain/CHF')).toEqual([200, rates[1]])
      expect(await get('/plain?id=CHF')).toEqual([200, [rates[1]]])
      expect((await get('/plain', { method: 'POST', body: '{}' }))[0]).toBe(502)
      expect((await get('/others'))[0]).toBe(502)
    })

    it('asks the real API again after a write', async () => {
      const { get, untilServed, requests } = await start()
      await untilServed('/plain')
      await get('/plain/EUR', { method: 'DELETE' })
      expect(requests.at(-1)).toBe('DELETE /plain/EUR')
      await get('/plain')
      expect(requests.at(-1)).toBe('GET /plain')
      await untilServed('/plain')
    })
  })

  it('serves what it has recorded below the base of the mock, and names the learned options', async () => {
    const list = { success: true, data: [{ code: 'EUR' }, { code: 'CHF' }], total: 2 }
    const bodies = new Map<string, unknown>([
      ['/rates', list],
      ['/rates/EUR', { success: true, data: list.data[0] }],
      ['/rates/CHF', { success: true, data: list.data[1] }],
      ['/reports/sales', { sum: [1, 2] }],
    ])
    const { origin, server } = await startBackend(({ url = '' }, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify(bodies.get(url.slice('/api'.length)) ?? { error: url }))
    })
    const folder = createFolder({ 'fixtures/posts.json': [{ id: 1 }] })
    const config = { fixtures: join(folder, 'fixtures'), cwd: folder, base: '/api' }
    const messages: string[] = []
    const mock = await loadMock(
      { ...config, use: [proxy({ to: origin, record: true })] },
      { onProblem: ({ message }) => messages.push(message) },
    )
    const { url, close } = await serve(mock, { port: 0, host: '127.0.0.1' })
    for (const path of bodies.keys()) await (await fetch(`${url}${path}`)).text()
    await close()
    server.close()
    const again = await loadMock(config)
    for (const [path, body] of bodies) {
      expect(await (await again.fetch(`/api${path}`)).json(), path).toEqual(body)
    }
    expect(messages).toHaveLength(1)
    expect(messages[0]).toContain('"resources":{"rates":{"id":"code"')
    expect(messages[0]).toContain('"dialect":{"rest":')
  })

  it.each([
    ['a file', 'fixtures/posts.json', {}, 'Please give one folder'],
    ['persist', 'fixtures', { persist: true }, '"persist" writes to the same files'],
  ])('refuses %s', async (_title, path, config, message) => {
    const folder = createFolder({ 'fixtures/posts.json': [{ id: 1 }] })
    const use = [proxy({ to: 'http://127.0.0.1:1', record: true })]
    const loading = loadMock({ fixtures: join(folder, path), use, ...config })
    await expect(loading).rejects.toThrow(message)
    expect(existsSync(join(folder, 'fixtures/_recorded'))).toBe(false)
  })
})
