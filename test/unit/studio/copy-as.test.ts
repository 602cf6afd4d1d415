import { expect, it, onTestFinished, vi } from 'vitest'

import { createMock } from '../../../src/index.ts'
import { serve } from '../../../src/node.ts'
import { copyForms } from '../../../src/studio/requests/copy-as.ts'

const draft = {
  method: 'POST',
  url: '/posts?q=a%20b',
  headers: [['Content-Type', 'application/json']] as const,
  body: JSON.stringify({ title: 'It\'s "quoted"\n\\ ${x}' }),
}

it.each(['curl', 'fetch'])('copies a request as %s that sends the same', async (form) => {
  const mock = createMock({ fixtures: { posts: [{ id: 1, title: '' }] } })
  const { url, close } = await serve(mock, { port: 0, host: '127.0.0.1' })
  onTestFinished(close)
  vi.stubGlobal('location', new URL(url))
  onTestFinished(() => void vi.unstubAllGlobals())
  const text = copyForms[form]?.(draft, 201) ?? ''
  if (form === 'fetch') await import(`data:text/javascript,${encodeURIComponent(text)}`)
  else await runShell(text)
  expect(mock.db.posts.get(2)).toEqual({ id: 2, ...JSON.parse(draft.body) })
})

it('copies a request as curl without what curl reads files and ranges from', async () => {
  const mock = createMock({ fixtures: { posts: [] } })
  const { url, close } = await serve(mock, { port: 0, host: '127.0.0.1' })
  onTestFinished(close)
  vi.stubGlobal('location', new URL(url))
  onTestFinished(() => void vi.unstubAllGlobals())
  const path = '/posts?filter[views]={1}'
  const text = copyForms['curl']?.({ ...draft, url: path, body: '@package.json' }, 400)
  await runShell(text ?? '')
  expect(mock.log.map((entry) => [entry.url, entry.status])).toEqual([[path, 400]])
})

it('copies a plain GET as a call of one argument', () => {
  vi.stubGlobal('location', new URL('http://localhost:3000'))
  onTestFinished(() => void vi.unstubAllGlobals())
  const get = { method: 'GET', url: '/posts', headers: [], body: '' }
  expect(copyForms['fetch']?.(get, 200)).toContain("fetch('http://localhost:3000/posts')\n")
  expect(copyForms['test']?.(get, 404)).toContain('expect(response.status).toBe(404)')
})

async function runShell(command: string): Promise<void> {
  const { promisify } = await import('node:util')
  const { exec } = await import('node:child_process')
  await promisify(exec)(command)
}
