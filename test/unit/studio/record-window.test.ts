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
})
