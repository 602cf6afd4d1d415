import { type PathLike, writeFileSync } from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'

import { expect, it, onTestFinished } from 'vitest'

import { readWhole } from '../../../../src/loader/read/stable-read.ts'
import { createFolder } from '../folder.ts'

const rows: [title: string, saves: number, text: string, reads: number][] = [
  ['once where nobody writes to it', 0, '', 1],
  ['once more where it was written to meanwhile', 1, 'x', 2],
  ['five times where it is written to again and again', 9, 'xxxx', 5],
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
  const { bytes } = await readWhole(path)
  expect([bytes.toString(), count]).toEqual([text, reads])
})
