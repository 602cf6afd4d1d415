import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

import type { Conflict } from '../../../../src/core/fixtures/fixtures.ts'
import { loadFixtures } from '../../../../src/loader/load.ts'
import {
  createFileSource,
  type FileListener,
  type FileSource,
} from '../../../../src/loader/watch/file-source.ts'
import { createFolder } from '../folder.ts'
import { settle } from '../world.ts'

it('publishes new, edited and removed files, and has their data', async () => {
  const { source, write } = await open({ 'f/a.json': [1], 'f/b.json': [1] })
  expect(source.data).toEqual({ a: [1], b: [1] })
  const published: unknown[] = []
  const unsubscribe = source.subscribe((changed) => published.push(changed))
  write('f/db.json', '{')
  write('f/c.json', '[3]')
  write('f/a.json', '[2]')
  await settle(source.scanner)
  expect(published).toEqual([{ a: [2], c: [3] }, {}])
  unsubscribe()
  write('f/a.json', '[4]')
  await settle(source.scanner)
  expect(source.data).toEqual({ a: [4], b: [1], c: [3] })
  expect(published).toHaveLength(2)
})

it('publishes undefined for what is gone', async () => {
  const { source, write } = await open({ 'db.json': { a: [1], b: [1] } }, ['db.json'])
  const published: unknown[] = []
  source.subscribe((changed) => published.push(changed))
  write('db.json', '{ "a": [1] }')
  await settle(source.scanner)
  expect(published).toStrictEqual([{ b: undefined }])
  expect(source.data).toEqual({ a: [1] })
})

it('notifies listeners last, of the conflicts of all subscribers', async () => {
  const { source, write } = await open({ 'f/a.json': [{ id: 1 }] })
  const calls: unknown[] = []
  const lost: Conflict[] = [{ collection: 'a', id: '1' }]
  const unlisten = source.onChange(({ sources }, conflicts) =>
    calls.push([sources.map(({ name }) => name), conflicts]),
  )
  source.subscribe((_, report) => {
    calls.push('taken over')
    report?.(lost)
  })
  write('f/a.json', '[{ "id": 2 }]')
  await settle(source.scanner)
  expect(calls).toEqual(['taken over', [['a'], lost]])
  unlisten()
  write('f/a.json', '[{ "id": 3 }]')
  await settle(source.scanner)
  expect(calls.slice(2)).toEqual(['taken over'])
})

it('notifies the default listener where there is no other listener', async () => {
  const calls: string[] = []
  const { source, write } = await open({ 'f/a.json': [1] }, ['f'], () => calls.push('default'))
  write('f/a.json', '[2]')
  await settle(source.scanner)
  source.onChange(() => calls.push('listener'))
  write('f/a.json', '[3]')
  await settle(source.scanner)
  expect(calls).toEqual(['default', 'listener'])
})

it('publishes all data for a subscriber that was created from other data', async () => {
  const { source } = await open({ 'f/a.json': [1], 'f/b.json': { x: 1 }, 'f/c.json': '[' })
  const published: unknown[] = []
  const problems: string[] = []
  source.subscribe((changed) => published.push(changed))
  source.onChange(({ reported }) => problems.push(...reported.map(({ file }) => file)))
  source.publishAll()
  expect(published).toEqual([{ a: [1], b: { x: 1 } }])
  expect(problems).toEqual(['f/c.json'])
})

async function open(
  files: Record<string, unknown>,
  paths: string[] = ['f'],
  defaultListener?: FileListener,
): Promise<{ source: FileSource; write(name: string, text: string): void }> {
  const cwd = createFolder(files)
  const loaded = await loadFixtures(paths, { cwd })
  return {
    source: createFileSource(paths, loaded, { cwd, ...(defaultListener && { defaultListener }) }),
    write: (name, text) => writeFileSync(join(cwd, name), text),
  }
}
