import { expect, it, vi } from 'vitest'

import { createRecordedAnswers } from '../../../src/load/recorded-answers.ts'
import { createFolder } from '../loader/folder.ts'

vi.mock('node:fs/promises', { spy: true })

const answer = { method: 'GET', path: '/a', status: 200 }

it('opens few of many recorded answers at the same time', async () => {
  const fs = await import('node:fs/promises')
  const actual = await vi.importActual<typeof fs>('node:fs/promises')
  const names = Array.from({ length: 200 }, (_, count) => `f/_recorded/${count}.json`)
  const cwd = createFolder(Object.fromEntries(names.map((name) => [name, answer])))
  let open = 0
  const counts: number[] = []
  vi.mocked(fs.readFile).mockImplementation(async (path, options) => {
    counts.push(++open)
    return actual.readFile(path, options).finally(() => open--)
  })
  expect(await createRecordedAnswers(['f'], cwd)).toHaveLength(1)
  expect(counts.length).toBeGreaterThanOrEqual(200)
  expect(Math.max(...counts)).toBeLessThanOrEqual(32)
})

it('says why a recorded answer cannot be read', async () => {
  const fs = await import('node:fs/promises')
  const cwd = createFolder({ 'f/_recorded/a.json': answer })
  const error = Object.assign(new Error('no'), { code: 'EACCES' })
  vi.mocked(fs.readFile).mockRejectedValue(error)
  await expect(createRecordedAnswers(['f'], cwd)).rejects.toThrow(
    'Failed to read the recorded answer "f/_recorded/a.json": permission denied.',
  )
})
