// Rows of dialects within one process: `json-api` beside json-api-serializer, the presets beside `rest`.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const script = join(import.meta.dirname, '../servers/dialects.js')

/** The rows of the table. */
export const dialectRows = [
  [
    'json-api-record',
    'JSON:API: one record of 10,000 with its author, in process',
    'json-api-serializer',
  ],
  [
    'json-api-page',
    'JSON:API: filtered, sorted page of 20 of 10,000, in process',
    'json-api-serializer',
  ],
  ['strapi-page', 'Strapi: filtered, sorted page of 20 of 10,000, in process', 'rest'],
  ['directus-page', 'Directus: the same', 'rest'],
  ['pocketbase-page', 'PocketBase: the same', 'rest'],
].map(([name, title, against]) => ({
  name,
  title,
  // The serializer neither parses parameters nor checks headers, so that its rows have no goal.
  goal: against === 'rest' ? { against, atLeast: 0.3 } : { against, isWatched: true },
  async run({ rounds, seconds, alone }) {
    const input = JSON.stringify({ row: name, rounds, seconds: seconds / 2, alone })
    const { stdout } = await promisify(execFile)(process.execPath, [script, input], {
      maxBuffer: 1e8,
    })
    return JSON.parse(stdout.split('\n').findLast((line) => line.startsWith('{')))
  },
}))
