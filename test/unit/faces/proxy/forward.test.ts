import { afterEach, expect, it, vi } from 'vitest'

import { forward } from '../../../../src/faces/proxy/proxy.ts'

afterEach(() => vi.unstubAllGlobals())

/** Sends a request from a page, whose `fetch` hides redirects; returns the calls of `fetch`. */
async function forwardInPage(method: string): Promise<string[]> {
  const calls: string[] = []
  vi.stubGlobal('location', { href: 'http://localhost:5173/' })
  vi.stubGlobal('fetch', (_url: string, init: RequestInit) => {
    calls.push(`${init.method} ${init.redirect}`)
    return init.redirect === 'manual'
      ? { type: 'opaqueredirect', status: 0, headers: new Headers(), body: null }
      : new Response('followed')
  })
  const onCancel = (): void => undefined
  const url = 'https://api.test/posts'
  const request = { method, url, headers: [], body: undefined, isInsecure: false, onCancel }
  expect(await forward(request as never)).toMatchObject({ status: 200 })
  return calls
}

it.each<[method: string, calls: string[]]>([
  ['GET', ['GET manual', 'GET follow']],
  ['POST', ['POST follow']],
  ['DELETE', ['DELETE follow']],
])('follows the redirects of %s in a page, and repeats no write', async (method, calls) => {
  expect(await forwardInPage(method)).toEqual(calls)
})
