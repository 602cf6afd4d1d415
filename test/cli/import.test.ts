import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { expect, it } from 'vitest'

import { createFolder } from '../unit/loader/folder.ts'
import { type Program, startProgram } from './program.ts'

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
  const runImport = (har: string): Program['ended'] => startProgram(['import', har], cwd).ended
  expect(await runImport('1.har')).toMatchObject({ code: 0 })
  // When half of the second file is written, after three steps for the state and three for the first file.
  const env = { KILL_AT: '8', NODE_OPTIONS }
  const { ended } = startProgram(['import', '2.har'], cwd, { env })
  expect(await ended).toEqual({ code: null, signal: 'SIGKILL' })
  expect(readTitles(cwd)).toEqual(['Title 2', 'Title 1', 'Title 1', 'Title 1'])
  expect(await runImport('2.har')).toMatchObject({ code: 0 })
  expect(readTitles(cwd)).toEqual(names.map(() => 'Title 2'))
  expect(readdirSync(cwd)).toEqual(['1.har', '2.har', 'fixtures'])
})
