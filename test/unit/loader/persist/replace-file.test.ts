import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import type { IdsOf } from '../../../../src/core/fixtures/fixture-data.ts'
import type { Source } from '../../../../src/core/fixtures/source.ts'
import { loadFixtures } from '../../../../src/loader/load.ts'
import { replaceFile } from '../../../../src/loader/persist/fixture-file.ts'
import type { LoadedFile } from '../../../../src/loader/read/read-file.ts'
import { createFolder } from '../folder.ts'
import { listAll } from '../world.ts'

const idsOf: IdsOf = (_name, list) => list.map((_record, at) => String(at))

it('replaces the text of changed values', async () => {
  const { path, file, sources, cwd } = await loadOne()
  expect(await replaceFile(file, () => sources, idsOf)).toBe(true)
  expect(readFileSync(path, 'utf8')).toBe('[{ "id": 1, "t": "new" }]\n')
  expect(listAll(cwd)).toEqual(['f', 'f/a.json'])
})

it('leaves a file alone that has changed since it was loaded', async () => {
  const { path, file, sources, cwd } = await loadOne()
  writeFileSync(path, '[]')
  expect(await replaceFile(file, () => sources, idsOf)).toBe(false)
  expect(readFileSync(path, 'utf8')).toBe('[]')
  expect(listAll(cwd)).toEqual(['f', 'f/a.json'])
})

it('leaves a file alone that changes while its next text is computed, and no temporary file', async () => {
  const { path, file, sources, cwd } = await loadOne()
  const edit: IdsOf = (...args) => {
    writeFileSync(path, '[]')
    return idsOf(...args)
  }
  expect(await replaceFile(file, () => sources, edit)).toBe(false)
  expect(readFileSync(path, 'utf8')).toBe('[]')
  expect(listAll(cwd)).toEqual(['f', 'f/a.json'])
})

/** Loads a file with one record, and returns the file with a changed value for its resource. */
async function loadOne(): Promise<{
  cwd: string
  path: string
  file: LoadedFile
  sources: Source[]
}> {
  const cwd = createFolder({ 'f/a.json': '[{ "id": 1, "t": "old" }]\n' })
  const path = join(cwd, 'f/a.json')
  const { files, sources } = await loadFixtures(['f'], { cwd })
  const file = files.get(path)
  if (!file) throw new Error('the file is not loaded')
  const value = [{ id: 1, t: 'new' }]
  return { cwd, path, file, sources: sources.map((source) => ({ ...source, value })) }
}
