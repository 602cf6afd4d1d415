import { EventEmitter } from 'node:events'

import { expect, it, vi } from 'vitest'

import { openInBrowser } from '../../../../src/cli/session/open.ts'

const opened = vi.hoisted(() => vi.fn<(url: string) => unknown>())
vi.mock('open', () => ({ default: opened }))

const url = 'http://localhost:3000/'
const hint = `Failed to open a browser. Please open ${url} yourself.`

const rows: [title: string, happens: (browser: EventEmitter) => unknown, said: string[]][] = [
  ['nothing where it opens', (browser) => browser.emit('exit', 0), []],
  ['nothing where it is still open', () => undefined, []],
  ['where to go where it fails', (browser) => browser.emit('exit', 3), [hint]],
  ['where to go where there is none', (browser) => browser.emit('error', new Error()), [hint]],
]

it.each(rows)('says %s', async (_title, happens, said) => {
  const browser = new EventEmitter()
  opened.mockResolvedValueOnce(browser)
  const heard: string[] = []
  await openInBrowser(url, (text) => heard.push(text))
  happens(browser)
  expect(opened).toHaveBeenLastCalledWith(url)
  expect(heard).toEqual(said)
})

it('says where to go where nothing can be opened at all', async () => {
  opened.mockRejectedValueOnce(new Error('no'))
  const heard: string[] = []
  await openInBrowser(url, (text) => heard.push(text))
  expect(heard).toEqual([hint])
})
