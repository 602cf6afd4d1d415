import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { type Deviation, deviations0, deviations1 } from './deviations.ts'
import { deviations1Beta } from './deviations-1-beta.ts'

const text = readFileSync(join(import.meta.dirname, '../../../docs/json-server.md'), 'utf8')

/** The cells of each row of the table under a heading. */
function rowsUnder(heading: string): string[][] {
  const [, rest = ''] = text.split(`\n## ${heading}\n`)
  const [section = ''] = rest.split('\n## ', 1)
  const lines = section.split('\n').filter((line) => line.startsWith('|'))
  return lines.slice(2).map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

describe.each<[string, readonly Deviation[]]>([
  ['json-server-0', deviations0],
  ['json-server-1', deviations1],
  ['json-server-1-beta', deviations1Beta],
])('the documentation of %s', (name, deviations) => {
  it('lists the differences in the code', () => {
    const expected = deviations.map(({ request, theirs, ours, reason }) => [
      request,
      theirs,
      ours,
      reason,
    ])
    expect(rowsUnder(`Where ${name} differs`)).toEqual(expected)
  })
})
