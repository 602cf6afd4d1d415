import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { readJournal } from '../../../../src/loader/persist/journal-entry.ts'
import { createFolder } from '../folder.ts'

describe('reading a journal', () => {
  const entries = Array.from({ length: 200 }, (_, n) => ({
    name: 'a',
    id: String(n),
    from: null,
    to: 'é'.repeat(n * n),
  }))
  const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')

  it('reads lines that do not fit into the chunks of the stream', async () => {
    const read: unknown[] = []
    expect(text.length).toBeGreaterThan(2 * 1024 * 1024)
    const path = join(createFolder({ 'a.journal': text }), 'a.journal')
    expect(await readJournal(path, (entry) => read.push(entry))).toBe(true)
    expect(read).toEqual(entries)
  })

  it('ignores an incomplete last line', async () => {
    const read: unknown[] = []
    const path = join(createFolder({ 'a.journal': text.slice(0, -3) }), 'a.journal')
    await readJournal(path, (entry) => read.push(entry))
    expect(read).toEqual(entries.slice(0, -1))
  })

  it.each(['nowhere/a.journal', 'a.json/a.journal'])('finds no journal at %s', async (path) => {
    const folder = createFolder({ 'a.json': [] })
    expect(await readJournal(join(folder, path), () => undefined)).toBe(false)
  })
})
