import { describe, expect, it } from 'vitest'

import { main } from '../../../../src/cli/main.ts'
import { createFolder } from '../../loader/folder.ts'
import { createFakeIo } from '../fake-io.ts'

/** An entry of an archive: a GET of a list with one record. */
function toEntry(url: string): object {
  const content = { mimeType: 'application/json', text: '[{"id":1,"title":"Hello"}]' }
  return {
    startedDateTime: '2026-01-01T00:00:00.000Z',
    request: { method: 'GET', url, headers: [] },
    response: { status: 200, headers: [], content },
  }
}

describe('mock import', () => {
  const rows: [title: string, urls: string[], expected: string][] = [
    [
      'one request',
      ['https://a.test/posts'],
      '1 request of https://a.test: 1 with records, 0 kept as recorded, 0 ignored.',
    ],
    [
      'requests to another origin',
      ['https://a.test/posts', 'https://a.test/users', 'https://b.test/tags'],
      '3 requests of https://a.test: 2 with records, 0 kept as recorded, 1 ignored.\n' +
        'Left out: https://b.test (1). --origin takes another.',
    ],
  ]

  it.each(rows)('counts %s', async (_title, urls, expected) => {
    const log = { version: '1.2', entries: urls.map(toEntry) }
    const io = createFakeIo({ cwd: createFolder({ 'traffic.har': { log } }) })
    expect([await main(['import', 'traffic.har'], io), io.err()]).toEqual([0, ''])
    expect(io.out()).toContain(`\n\n${expected}\nThe mock answers`)
    expect(io.out().endsWith('\n\nNext: npx fixtura server\n')).toBe(true)
  })
})
