import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { type Deviation, deviations0, deviations1 } from './deviations.ts'
import { deviations1Beta } from './deviations-1-beta.ts'
import { deviationsJsonApi } from './deviations-json-api.ts'

/** The cells of each row of the table under a heading of a document. */
function rowsUnder(heading: string, file: string): string[][] {
  const text = readFileSync(join(import.meta.dirname, '../../../docs', file), 'utf8')
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

describe.each<[string, string, readonly Deviation[]]>([
  ['json-server-0', 'reference/json-server-differences.md', deviations0],
  ['json-server-1', 'reference/json-server-differences.md', deviations1],
  ['json-server-1-beta', 'reference/json-server-differences.md', deviations1Beta],
  ['json-api', 'speak/json-api.md', deviationsJsonApi],
])('the documentation of %s', (name, file, deviations) => {
  it('lists the differences in the code', () => {
    const expected = deviations.map(({ request, theirs, ours, reason }) => [
      request,
      theirs,
      ours,
      reason,
    ])
    expect(rowsUnder(`Where ${name} differs`, file)).toEqual(expected)
  })
})
