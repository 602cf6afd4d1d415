import { EventEmitter } from 'node:events'

import { expect, it, vi } from 'vitest'

import { openInBrowser } from '../../../../src/cli/session/open-browser.ts'

const opened = vi.hoisted(() => vi.fn<(url: string) => unknown>())
vi.mock('open', () => ({ default: opened }))

const url = 'http://localhost:3000/'
const hint = `Failed to open a browser. Please open ${url} yourself.`

const rows: [title: string, act: (browser: EventEmitter) => unknown, expected: string[]][] = [
  ['nothing if the browser opens', (browser) => browser.emit('exit', 0), []],
  ['nothing while the browser runs', () => undefined, []],
  ['the URL if the browser fails', (browser) => browser.emit('exit', 3), [hint]],
  ['the URL if there is no browser', (browser) => browser.emit('error', new Error()), [hint]],
]

it.each(rows)('prints %s', async (_title, act, expected) => {
  const browser = new EventEmitter()
  opened.mockResolvedValueOnce(browser)
  const printed: string[] = []
  await openInBrowser(url, (text) => printed.push(text))
  act(browser)
  expect(opened).toHaveBeenLastCalledWith(url)
  expect(printed).toEqual(expected)
})

it('prints the URL if no browser can be started', async () => {
  opened.mockRejectedValueOnce(new Error('no'))
  const printed: string[] = []
  await openInBrowser(url, (text) => printed.push(text))
  expect(printed).toEqual([hint])
})
