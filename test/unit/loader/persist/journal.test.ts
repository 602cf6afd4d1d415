import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it, vi } from 'vitest'

import { createJournal } from '../../../../src/loader/persist/journal.ts'
import { statePathsOf } from '../../../../src/loader/persist/state-folder.ts'
import { createFolder } from '../folder.ts'

vi.mock('node:fs', { spy: true })
vi.mock('node:fs/promises', { spy: true })

it('closes the file before another takes its place, as Windows asks', async () => {
  const fs = await import('node:fs')
  const { rename } = await import('node:fs/promises')
  const close = vi.mocked(fs.close)
  const paths = statePathsOf(join(createFolder({ 'a.json': [] }), 'a.json'))
  const results: unknown[] = []
  const journal = createJournal(paths, (error) => results.push(error))
  journal.append({ name: 'a', id: '1', from: null, to: 1 })
  await journal.settled()
  journal.mark()
  journal.append({ name: 'a', id: '2', from: null, to: 2 })
  await journal.settled()
  await journal.compact()
  expect(rename).toHaveBeenCalledOnce()
  expect(close.mock.invocationCallOrder[0]).toBeLessThan(
    vi.mocked(rename).mock.invocationCallOrder[0] ?? 0,
  )
  journal.append({ name: 'a', id: '3', from: null, to: 3 })
  await journal.close()
  expect(readFileSync(paths.journal, 'utf8').match(/"id":"\d"/g)).toEqual(['"id":"2"', '"id":"3"'])
  expect(results).toEqual([undefined, undefined, undefined])
})
