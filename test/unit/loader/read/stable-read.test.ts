import { type PathLike, writeFileSync } from 'node:fs'
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
  const { readFile } = promises
  const replace = (read: unknown): void => {
    Object.assign(promises, { readFile: read })
    syncBuiltinESMExports()
  }
  onTestFinished(() => replace(readFile))
  let count = 0
  replace(async (file: PathLike) => {
    const bytes = await readFile(file)
    if (count++ < saves) writeFileSync(path, 'x'.repeat(count))
    return bytes
  })
  const { bytes } = await readStable(path)
  expect([bytes.toString(), count]).toEqual([text, reads])
})
