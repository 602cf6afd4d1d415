import { expect, it, onTestFinished, vi } from 'vitest'

import { routes } from '../../../../src/behaviours.ts'
import { createMock } from '../../../../src/index.ts'

const shop = () => createMock({ fixtures: { posts: [{ id: 1 }] } })

it('takes what is given beside a request', async () => {
  const headers = { 'content-type': 'application/json' }
  const request = new Request('http://mock.test/posts')
  const answer = await shop().fetch(request, { method: 'POST', headers, body: '{}' })
  expect(answer.status).toBe(201)
})

it.each(['about:blank', 'http://mock.test/page'])('takes a path on a page at %s', async (href) => {
  vi.stubGlobal('location', { href })
  onTestFinished(() => void vi.unstubAllGlobals())
  expect(await (await shop().fetch('/posts')).json()).toEqual([{ id: 1 }])
})

it('tells a route the whole address that was asked for', async () => {
  const use = [routes({ 'GET /where': ({ url }) => ({ url }) })]
  const mock = createMock({ fixtures: {}, use })
  const answer = await mock.fetch('https://shop.test/where?a=b')
  expect(await answer.json()).toEqual({ url: 'https://shop.test/where?a=b' })
  expect(mock.log[0]?.headers['host']).toBe('shop.test')
})
