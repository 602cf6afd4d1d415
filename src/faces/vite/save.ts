import type { ViteDevServer } from 'vite'
import { toMessage } from '../../core/errors/error-details.ts'
import type { SaveRecords } from '../../loader/persist/save-records.ts'
import type { SaveAnswer, SaveRequest } from './hot-source.ts'

/** Writes the edits that pages send, whose mocks run in the page, into the fixture files. */
export function serveSaves(server: ViteDevServer, save: SaveRecords): void {
  server.environments.client.hot.on(
    'fixtura:save',
    async ({ call, name, edits }: SaveRequest, client) => {
      const answer: SaveAnswer = { call }
      try {
        await save(name, new Map(edits.map(({ id, record }) => [id, record])))
      } catch (error) {
        answer.error = toMessage(error)
      }
      client.send('fixtura:saved', answer)
    },
  )
}
