import type { ViteDevServer } from 'vite'
import { toMessage } from '../../core/errors/error-details.ts'
import type { SaveRecords } from '../../loader/persist/save-records.ts'
import type { SaveAnswer, SaveRequest } from './hot-source.ts'

/**
 * Lets pages of a dev server save edits of records: writes the edits that a page sends into the fixture
 * files, which the page itself cannot write.
 */
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
