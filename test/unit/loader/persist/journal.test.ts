import { readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it, vi } from 'vitest'

import { createHandles } from '../../../../src/loader/persist/handles.ts'
import { createJournal } from '../../../../src/loader/persist/journal.ts'
import { statePathsOf } from '../../../../src/loader/persist/state-folder.ts'
import { createFolder } from '../folder.ts'
import { noLock } from '../world.ts'

vi.mock('node:fs', { spy: true })

const options = { lock: noLock, handles: createHandles() }

it('closes the file before it is replaced, as Windows requires', async () => {
  const fs = await import('node:fs')
  const close = vi.mocked(fs.close)
  const rename = vi.mocked(fs.renameSync)
  const paths = statePathsOf(join(createFolder({ 'a.json': [] }), 'a.json'))
  const results: unknown[] = []
  const journal = createJournal(paths, { ...options, onResult: (error) => results.push(error) })
  journal.append({ name: 'a', id: '1', from: null, to: 1 })
  await journal.settled()
  journal.mark()
  journal.append({ name: 'a', id: '2', from: null, to: 2 })
  await journal.settled()
  await journal.compact()
  expect(rename).toHaveBeenCalledOnce()
  // The handles of the old and the new file.
  expect(close).toHaveBeenCalledTimes(2)
  expect(close.mock.invocationCallOrder[1]).toBeLessThan(rename.mock.invocationCallOrder[0] ?? 0)
  journal.append({ name: 'a', id: '3', from: null, to: 3 })
  await journal.close()
  expect(readFileSync(paths.journal, 'utf8').match(/"id":"\d"/g)).toEqual(['"id":"2"', '"id":"3"'])
  expect(results).toEqual([undefined, undefined, undefined])
})

it('waits for no later writes', async () => {
  const paths = statePathsOf(join(createFolder({ 'a.json': [] }), 'a.json'))
  const results: unknown[] = []
  let count = 0
  const append = (): void => {
    count++
    journal.append({ name: 'a', id: String(count), from: null, to: count })
  }
  // Each time that lines are added, another write comes.
  const isHeld = (): boolean => {
    if (count < 100) append()
    return true
  }
  const journal = createJournal(paths, {
    ...options,
    lock: { ...noLock, isHeld },
    onResult: (error) => results.push(error),
  })
  append()
  await journal.settled()
  expect(count).toBeLessThan(10)
  for (let turn = 0; turn < 100; turn++) await journal.settled()
  expect(count).toBe(100)
  await journal.close()
  expect(results.filter((error) => error !== undefined)).toEqual([])
  expect(readFileSync(paths.journal, 'utf8').match(/"id":"\d+"/g)).toHaveLength(100)
})

it('leaves no incomplete line on a full disk, and retries the entries', async () => {
  const fs = await import('node:fs')
  const paths = statePathsOf(join(createFolder({ 'a.json': [] }), 'a.json'))
  const results: unknown[] = []
  const journal = createJournal(paths, { ...options, onResult: (error) => results.push(error) })
  const append = (id: string): Promise<void> | undefined => {
    journal.append({ name: 'a', id, from: null, to: id })
    return journal.settled()
  }
  const ids = (): string[] => {
    const lines = readFileSync(paths.journal, 'utf8').trim().split('\n')
    return lines.map((line) => (JSON.parse(line) as { id: string }).id)
  }
  await append('1')
  journal.mark()
  await append('2')
  await journal.compact()
  const full = new Error('full')
  const writeHalf = (file: number, bytes: Buffer, _at: unknown, done: (error: Error) => void) => {
    writeSync(file, bytes.subarray(0, 5))
    done(full)
  }
  for (const id of ['3', '4']) {
    vi.mocked(fs.write).mockImplementationOnce(writeHalf as never)
    await append(id)
    expect(ids()).toEqual(['2'])
  }
  journal.mark()
  journal.append({ name: 'a', id: '5', from: null, to: '5' })
  vi.mocked(fs.renameSync).mockImplementationOnce(() => {
    throw full
  })
  await expect(journal.compact()).rejects.toBe(full)
  await journal.close()
  expect(journal.unsaved().lost).toEqual([])
  expect(ids()).toEqual(['2', '3', '4', '5'])
  expect(results).toEqual([undefined, undefined, full, full, undefined])
})
