import { describe, expect, it, onTestFinished } from 'vitest'

import { createMock } from '../../../dist/index.js'
import { serve } from '../../../dist/node.js'

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

async function open(): Promise<(path: string) => Promise<Response>> {
  const { url, close } = await serve(createMock({ fixtures: {} }), { port: 0, host: '127.0.0.1' })
  onTestFinished(close)
  return async (path) => fetch(new URL(path, url), { headers: { Accept: 'text/html' } })
}

describe('the home page', () => {
  it.each([
    ['/', 'text/html', /^<!doctype html>/],
    ['/__mock/home/', 'text/html', /^<!doctype html>/],
    ['/__mock/home/style.css', 'text/css', /:root/],
    ['/__mock/home/app.js', 'text/javascript', /code-mirror-[\w-]+\.js/],
  ])(
    'hands out %s as what it is, and lets it load nothing but its own',
    async (path, type, start) => {
      const response = await (await open())(path)
      expect(response.status).toBe(200)
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': `${type}; charset=utf-8`,
        'cache-control': 'no-cache',
        vary: expect.stringContaining('Accept') as string,
        'content-security-policy': policy,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      })
      expect(await response.text()).toMatch(start)
    },
  )

  it('has the parts of the page that are loaded later', async () => {
    const get = await open()
    const script = await (await get('/__mock/home/app.js')).text()
    const parts = [...script.matchAll(/import\(["'`]\.\/([^"'`]+)["'`]\)/g)].map(([, name]) => name)
    expect(parts.length).toBeGreaterThan(1)
    for (const part of parts) expect((await get(`/__mock/home/${part}`)).status).toBe(200)
  })

  it.each(['page.ts', 'licenses.txt', 'missing.js', '..%2fdocs.js', '%2e%2e/docs.js'])(
    'has no other file: %s',
    async (name) => expect((await (await open())(`/__mock/home/${name}`)).status).toBe(404),
  )
})
