import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

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
