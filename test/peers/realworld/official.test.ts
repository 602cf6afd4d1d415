import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { describe, expect, it } from 'vitest'

import { faces } from '../../faces.ts'
import { origin } from '../../table-requests.ts'
import { loadExample } from './example.ts'
import { type HurlReport, parseHurl, runHurl } from './hurl.ts'

// The official suite of the RealWorld API 2.0: its Hurl files, which lie beside the repository or in the folder that
// the variable REALWORLD names.
const given = process.env['REALWORLD']
const folder = resolve(import.meta.dirname, '../../..', given ?? '../shared/data/realworld')
const isSkipped = given === undefined && !existsSync(folder)
const reason = isSkipped ? ' is skipped: there is no ../shared/data/realworld, nor REALWORLD' : ''

/** The number of checks in each file: the expected statuses and the asserts. */
const checks: Readonly<Record<string, number>> = {
  articles: 143,
  auth: 80,
  comments: 36,
  errors_articles: 36,
  errors_auth: 30,
  errors_authorization: 14,
  errors_comments: 17,
  errors_profiles: 11,
  favorites: 75,
  feed: 44,
  pagination: 15,
  profiles: 27,
  tags: 10,
}

describe.skipIf(isSkipped)(`the official suite of the RealWorld API${reason}`, () => {
  it('is whole', () => {
    const names = readdirSync(folder).filter((name) => name.endsWith('.hurl'))
    expect(names.map((name) => name.replace('.hurl', '')).toSorted()).toEqual(Object.keys(checks))
  })

  describe.each(['http', 'msw', 'fetch'])('over %s', (face) => {
    it.each(Object.entries(checks))('%s: %i checks', async (name, count) => {
      expect(await runFile(face, name)).toEqual({ checks: count, failures: [] })
    })
  })
})

/** Runs a file of the suite on a new mock. Each request is a second later, so that times tell writes apart. */
async function runFile(face: string, name: string): Promise<HurlReport> {
  const mock = await loadExample()
  const connection = await faces[face]?.(mock)
  if (!connection) throw new Error(`There is no face "${face}".`)
  try {
    const entries = parseHurl(readFileSync(join(folder, `${name}.hurl`), 'utf8'))
    return await runHurl(entries, { host: origin, uid: 'u1' }, (request) => {
      mock.clock.advance('1s')
      const { method, url, headers, body } = request
      const path = url.slice(origin.length)
      return connection.send({ request: `${method} ${path}`, headers, body })
    })
  } finally {
    await connection.close()
  }
}
