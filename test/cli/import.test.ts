import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { expect, it } from 'vitest'

import { main } from '../../src/cli/main.ts'
import { createFakeIo } from '../unit/cli/fake-io.ts'
import { createFolder } from '../unit/loader/folder.ts'
import { startProgram } from './program.ts'

const names = ['orders', 'posts', 'tags', 'users']

/** An archive of a list of each resource, whose records name a version. */
function toHar(version: number): unknown {
  const list = Array.from({ length: 20 }, (_, at) => ({ id: at + 1, title: `Title ${version}` }))
  const content = { mimeType: 'application/json', text: JSON.stringify(list) }
  const entries = names.map((name) => ({
    startedDateTime: '2026-01-01T00:00:00.000Z',
    request: { method: 'GET', url: `https://api.example.com/${name}`, headers: [] },
    response: { status: 200, headers: [], content },
  }))
  return { log: { version: '1.2', entries } }
}

/** The titles in the file of each resource, which holds all records. */
function readTitles(cwd: string): string[] {
  return names.map((name) => {
    const text = readFileSync(join(cwd, 'fixtures', `${name}.json`), 'utf8')
    const records = JSON.parse(text) as { title: string }[]
    expect(records).toHaveLength(20)
    return [...new Set(records.map(({ title }) => title))].join(' and ')
  })
}

const NODE_OPTIONS = `--import ${pathToFileURL(join(import.meta.dirname, 'kill-at-write.js')).href}`

it('leaves the old or the new text of each file when "mock import" is killed', async () => {
  const cwd = createFolder({ '1.har': toHar(1), '2.har': toHar(2) })
  const runImport = (har: string): Promise<number> => main(['import', har], createFakeIo({ cwd }))
  expect(await runImport('1.har')).toBe(0)
  // With half of the first file written, and before the second file is renamed.
  for (const [KILL_AT, written] of [
    ['2', 0],
    ['6', 1],
  ] as const) {
    const { ended } = startProgram(['import', '2.har'], cwd, { env: { KILL_AT, NODE_OPTIONS } })
    expect(await ended).toEqual({ code: null, signal: 'SIGKILL' })
    expect(readTitles(cwd)).toEqual(names.map((_, at) => (at < written ? 'Title 2' : 'Title 1')))
  }
  expect(await runImport('2.har')).toBe(0)
  expect(readTitles(cwd)).toEqual(names.map(() => 'Title 2'))
  expect(readdirSync(cwd)).toEqual(['1.har', '2.har', 'fixtures'])
})
