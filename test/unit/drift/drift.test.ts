import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { createFolder } from '../loader/folder.ts'
import { createBackEnd, createData, record, serveBackEnd } from './back-end.ts'
import { compare, linesOf } from './compare.ts'
import { planted } from './planted.ts'

function writeHar(har: unknown): string {
  const folder = createFolder()
  writeFileSync(join(folder, 'traffic.har'), JSON.stringify(har))
  return join(folder, 'traffic.har')
}

const fixtures = createData('mine')

describe('drift from a live API', () => {
  it('is none where nothing but the data differs', async () => {
    const drift = await compare(await serveBackEnd(createBackEnd()), fixtures)
    expect(linesOf(drift)).toEqual([])
    expect(drift.compared).toEqual([
      { resource: 'posts', here: 60, there: 60 },
      { resource: 'users', here: 10, there: 10 },
      { resource: 'comments', here: 30, there: 30 },
      { resource: 'settings', here: 1, there: 1 },
    ])
  })

  it.each(planted)('is one line where %s', async (_title, plant, line) => {
    const backEnd = createBackEnd()
    plant(backEnd)
    const drift = await compare(await serveBackEnd(backEnd), fixtures)
    expect(linesOf(drift)).toEqual([expect.stringMatching(line)])
    expect(drift.differences[0]?.seen).toMatch(/^GET \//)
  })
})

describe('drift from a recording', () => {
  it('is none where nothing but the data differs', async () => {
    const drift = await compare(writeHar(record(createBackEnd())), fixtures)
    expect(linesOf(drift)).toEqual([])
  })

  it.each(planted)('is one line where %s', async (_title, plant, line) => {
    const backEnd = createBackEnd()
    plant(backEnd)
    const drift = await compare(writeHar(record(backEnd)), fixtures)
    expect(linesOf(drift)).toEqual([expect.stringMatching(line)])
  })
})
