import { join } from 'node:path'

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { main } from '../../src/cli/main.ts'
import {
  type Answer,
  findDifferences,
  loadRecorded,
  readAll,
  toCall,
} from '../peers/backends/play.ts'
import { startRecording } from '../peers/backends/recording.ts'
import { type Script, scripts, stepsOf } from '../peers/backends/scripts.ts'
import { createFakeIo } from '../unit/cli/fake-io.ts'
import { createFolder } from '../unit/loader/folder.ts'
import { trackRequests } from './devtools-har.ts'
import { openContext } from './page.ts'

/** The page of Express that says what is missing allows no requests. */
const options = { bypassCSP: true }

describe.each(Object.entries(scripts))('a page of Chromium, and %s', (_name, script) => {
  it('is recorded, and has the same answers from the mock', async () => {
    const folder = createFolder({})
    const backend = await script.serve()
    const recording = await startRecording(backend.origin, folder)
    const context = await openContext(options)
    const page = await context.newPage()
    await page.goto(recording.url)
    const answers = await playIn(page, script)
    await context.close()
    await backend.close()
    await recording.close()
    await expectSame(folder, backend.origin, answers, script)
  })

  it('has the same answers from a mock of its archives', async () => {
    const [embedded, attached, exported] = [createFolder({}), createFolder({}), createFolder({})]
    const backend = await script.serve()
    const context = await openContext({
      ...options,
      recordHar: { path: join(embedded, 'traffic.har'), content: 'embed', mode: 'full' },
    })
    await context.routeFromHAR(join(attached, 'traffic.har'), {
      update: true,
      updateContent: 'attach',
    })
    const page = await context.newPage()
    const save = await trackRequests(page)
    await page.goto(backend.origin)
    const answers = await playIn(page, script)
    await save(join(exported, 'traffic.har'))
    await context.close()
    await backend.close()
    for (const folder of [embedded, attached, exported]) {
      const io = createFakeIo({ cwd: folder })
      const code = await main(['import', 'traffic.har'], io)
      expect([code, io.err()]).toEqual([0, ''])
      await expectSame(folder, backend.origin, answers, script)
    }
  })
})

/** Sends the requests of a script from a page; returns the last response to each GET. */
async function playIn(page: Page, script: Script): Promise<Map<string, Answer>> {
  const calls = stepsOf(script)
    .map(toCall)
    .map(({ headers, ...call }) => {
      // The page has the cookies of the login.
      const { Cookie: _cookie, ...own } = headers
      return { ...call, headers: own }
    })
  const pairs = await page.evaluate(async (calls) => {
    const answers: [path: string, answer: Answer][] = []
    for (const { path, ...init } of calls) {
      const response = await fetch(path, init)
      const text = await response.text()
      const value: unknown = text === '' ? undefined : JSON.parse(text)
      if (init.method === 'GET') answers.push([path, { status: response.status, value }])
    }
    return answers
  }, calls)
  return new Map(pairs)
}

/** Expects the same answers from the mock in a folder, whose files have no credential. */
async function expectSame(
  folder: string,
  origin: string,
  answers: ReadonlyMap<string, Answer>,
  { secrets }: Script,
): Promise<void> {
  const mock = await loadRecorded(folder)
  const ask = (url: string): Promise<Response> => mock.fetch(url)
  expect(await findDifferences(ask, 'http://mock.test', origin, answers)).toEqual([])
  const written = readAll(join(folder, 'fixtures'))
  expect(secrets.filter((secret) => written.includes(secret))).toEqual([])
}
