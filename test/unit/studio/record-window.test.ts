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
  const { createRecordWindow } = await import('../../../src/studio/data/record-window.ts')
  const { publishLocalWrite } = await import('../../../src/studio/data/local-writes.ts')
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
  publishLocalWrite(
    { name: 'posts', path: '/posts', kind: 'collection', count: 1 },
    { id: 1, ...server },
  )
  expect(records.at(0)).toEqual({ id: 1, title: 'new' })
  await answer(1)
  expect(records.at(0)).toEqual({ id: 1, title: 'new' })
  server.title = 'newer'
  records.refresh()
  await answer(3)
  expect(records.at(0)).toEqual({ id: 1, title: 'newer' })
  records.close()
})

it('shows an edit on its way, and the record as it was if the edit fails', async () => {
  stubPage(async () => Response.json([{ id: 1, title: 'old', views: 2 }, { id: 2 }]))
  const { createRecordWindow } = await import('../../../src/studio/data/record-window.ts')
  const { showPending } = await import('../../../src/studio/data/pending-edits.ts')
  const records = createRecordWindow('posts', {})
  await new Promise<void>((resolve) => records.listen(resolve))
  let fail = (_error: Error): void => {}
  const write = new Promise<void>((_, reject) => (fail = reject))
  const resource = { name: 'posts', path: '/posts', kind: 'collection', count: 2 } as const
  const edit = { resource, id: '1', base: { title: 'old' }, next: { title: 'new' } }
  const writing = showPending(edit, async () => write)
  expect(records.at(0)).toEqual({ id: 1, title: 'new', views: 2 })
  expect(records.at(1)).toEqual({ id: 2 })
  fail(new Error('refused'))
  await expect(writing).rejects.toThrow('refused')
  expect(records.at(0)).toEqual({ id: 1, title: 'old', views: 2 })
  records.close()
})

it('keeps the outcome of the last request when earlier requests end later', async () => {
  const ends: ((response: Response | Error) => void)[] = []
  stubPage(
    async () =>
      new Promise((resolve, reject) => {
        ends.push((outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome)))
      }),
  )
  const { createRecordWindow } = await import('../../../src/studio/data/record-window.ts')
  const records = createRecordWindow('posts', {})
  const end = async (at: number, response: Response | Error): Promise<void> => {
    const taken = new Promise<void>((resolve) => records.listen(resolve))
    ends[at]?.(response)
    // A failure of an earlier request changes nothing.
    await Promise.race([taken, new Promise((resolve) => setImmediate(resolve))])
  }
  records.refresh()
  await end(1, Response.json([{ id: 1 }]))
  await end(0, new TypeError('refused'))
  expect(records.error()).toBe('')
  records.refresh()
  records.refresh()
  await end(3, new TypeError('refused'))
  await end(2, Response.json([{ id: 1 }]))
  expect(records.error()).toMatch('does not respond')
  records.refresh()
  await end(4, Response.json([{ id: 1 }]))
  expect(records.error()).toBe('')
  records.close()
})
