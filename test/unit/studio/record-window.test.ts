import { expect, it } from 'vitest'

import { stubPage } from './page-globals.ts'

it('fetches records again that it has dropped for later ones', async () => {
  stubPage(async (_, { body }) => {
    const { offset, limit } = JSON.parse(body as string) as Record<'offset' | 'limit', number>
    return Response.json(Array.from({ length: limit }, (_, at) => ({ id: offset + at })))
  })
  const { createRecordWindow } = await import('../../../src/studio/data/record-window.ts')
  const records = createRecordWindow('posts', {})
  const show = async (row: number): Promise<unknown> =>
    new Promise((resolve) => {
      records.listen(() => records.at(row) && resolve(records.at(row)))
      records.need(row, row)
    })
  for (let row = 0; row <= 6000; row += 100) expect(await show(row)).toEqual({ id: row })
  expect(records.at(0)).toBeUndefined()
  expect(await show(0)).toEqual({ id: 0 })
  records.close()
})

it('shows a written record at once, and no earlier answer after it', async () => {
  const server = { title: 'old' }
  const answers: (() => void)[] = []
  stubPage(async () => {
    const read = { id: 1, ...server }
    return new Promise((resolve) => answers.push(() => resolve(Response.json([read]))))
  })
  const { createRecordWindow, showWritten } =
    await import('../../../src/studio/data/record-window.ts')
  const records = createRecordWindow('posts', {})
  const answer = async (at: number): Promise<void> => {
    await expect.poll(() => answers.length).toBeGreaterThan(at)
    const taken = new Promise<void>((resolve) => records.listen(resolve))
    answers[at]?.()
    await taken
  }
  await answer(0)
  records.refresh()
  server.title = 'new'
  showWritten({ name: 'posts', path: '/posts', kind: 'collection', count: 1 }, { id: 1, ...server })
  expect(records.at(0)).toEqual({ id: 1, title: 'new' })
  await answer(1)
  expect(records.at(0)).toEqual({ id: 1, title: 'new' })
  server.title = 'newer'
  records.refresh()
  await answer(3)
  expect(records.at(0)).toEqual({ id: 1, title: 'newer' })
  records.close()
})
