// Rows beside json-graphql-server, with equal answers.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const script = join(import.meta.dirname, '../servers/graphql.js')

/** The rows of the table. */
export const graphqlRows = [
  ['list', 'GraphQL: filtered, sorted page of 20 of 10,000, in process'],
  ['relation', 'GraphQL: the same page with its users, in process'],
].map(([name, title]) => ({
  name: `graphql-${name}`,
  title,
  goal: { against: 'json-graphql-server', atLeast: 1 },
  async run({ rounds, seconds, alone }) {
    const input = JSON.stringify({ row: name, rounds, seconds: seconds / 2, alone })
    const { stdout } = await promisify(execFile)(process.execPath, [script, input])
    return JSON.parse(stdout.split('\n').findLast((line) => line.startsWith('{')))
  },
}))
