import fs, { type PathLike, writeFileSync } from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'

import { expect, it, onTestFinished } from 'vitest'

import { readStable } from '../../../../src/loader/read/stable-read.ts'
import { createFolder } from '../folder.ts'

const rows: [title: string, saves: number, text: string, reads: number][] = [
  ['once if nobody writes it', 0, '', 1],
  ['again if it was written during the read', 1, 'x', 2],
  ['five times at most', 9, 'xxxx', 5],
]

it.each(rows)('a file is read %s', async (_title, saves, text, reads) => {
  const path = join(createFolder({ 'a.json': '' }), 'a.json')
  const counted = countReads((count) => {
    if (count <= saves) writeFileSync(path, 'x'.repeat(count))
  })
  const reading = readStable(path)
  // A small file needs no turn of the event loop: ten thousand files would need as many.
  expect(counted()).toBe(1 + Math.min(saves, 4))
  const { bytes } = await reading
  expect([bytes.toString(), counted()]).toEqual([text, reads])
})

it('a large file is read without blocking, and again if it was written during the read', async () => {
  const path = join(createFolder({ 'a.json': 'y'.repeat(100_000) }), 'a.json')
  const counted = countReads((count) => {
    if (count === 1) writeFileSync(path, 'x'.repeat(90_000))
  })
  const reading = readStable(path)
  expect(counted()).toBe(0)
  expect([(await reading).bytes.toString(), counted()]).toEqual(['x'.repeat(90_000), 2])
})

/** Calls back after each read of a file, with the number of reads; returns a function that returns the number. */
function countReads(onRead: (count: number) => void): () => number {
  const { readFile } = promises
  const { readFileSync } = fs
  let count = 0
  const replace = (async: unknown, sync: unknown): void => {
    Object.assign(promises, { readFile: async })
    Object.assign(fs, { readFileSync: sync })
    syncBuiltinESMExports()
  }
  replace(
    async (file: PathLike) => {
      const bytes = await readFile(file)
      onRead(++count)
      return bytes
    },
    (file: PathLike) => {
      const bytes = readFileSync(file)
      onRead(++count)
      return bytes
    },
  )
  onTestFinished(() => replace(readFile, readFileSync))
  return () => count
}
