import { gzipSync } from 'node:zlib'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { bundleWorker } from '../workerd.ts'

const dist = join(import.meta.dirname, '../../dist')

/** The size of a worker that imports these entries of the built package, minified and gzipped, in bytes. */
const budgets: [title: string, entries: string[], bytes: number][] = [
  ['without behaviours', ['worker.js'], 117_000],
  ['with all behaviours', ['worker.js', 'behaviours.js'], 178_500],
]

describe('the bundle of a worker', () => {
  it.each(budgets)('%s imports nothing and is within its budget', async (_, entries, bytes) => {
    const source = entries.map((name) => `export * from ${JSON.stringify(join(dist, name))}\n`)
    const code = await bundleWorker(source.join(''), [], true)
    expect(code).not.toMatch(/["']node:/)
    expect(code).not.toMatch(/^import\b|\bimport\(/m)
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(bytes)
  })
})
