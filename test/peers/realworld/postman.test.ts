import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { describe, expect, it, onTestFinished } from 'vitest'

import { serve } from '../../../src/node.ts'
import { loadExample } from './example.ts'

// The Postman collection of the RealWorld API, in the file that the variable POSTMAN_REALWORLD names. Its runner has
// 150 packages, so that npx gets the runner from the registry when the variable is set.
const collection = process.env['POSTMAN_REALWORLD']
const reason = collection === undefined ? ' is skipped: POSTMAN_REALWORLD names no collection' : ''

/** The part of newman's report that counts. */
interface Summary {
  run: {
    stats: Record<'requests' | 'assertions', { total: number; failed: number }>
    failures: { source: { name: string }; error: { test: string } }[]
  }
}

describe.skipIf(collection === undefined)(`the Postman collection${reason}`, () => {
  it('passes over HTTP', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fixtura-newman-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const serving = await serve(await loadExample(), { port: 0, host: '127.0.0.1' })
    onTestFinished(() => serving.close())
    const values = {
      APIURL: `http://127.0.0.1:${serving.port}/api`,
      USERNAME: 'edsger',
      EMAIL: 'edsger@example.org',
      PASSWORD: 'considered',
    }
    const file = join(folder, 'report.json')
    const options = ['--reporters', 'json', '--reporter-json-export', file, '--suppress-exit-code']
    const globals = Object.entries(values).flatMap((pair) => ['--global-var', pair.join('=')])
    const command = ['--yes', 'newman@6', 'run', collection ?? '', ...options, ...globals]
    await promisify(execFile)('npx', command, { cwd: folder })
    const { stats, failures } = (JSON.parse(readFileSync(file, 'utf8')) as Summary).run
    expect(failures.map(({ source, error }) => `${source.name}: ${error.test}`)).toEqual([])
    expect([stats.requests.total, stats.assertions.total]).toEqual([32, 323])
  })
})
