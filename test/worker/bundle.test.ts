import { gzipSync } from 'node:zlib'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { bundleWorker } from '../workerd.ts'

const dist = join(import.meta.dirname, '../../dist')

/** The size of a worker that imports these parts of the built package, minified and gzipped, in bytes. */
const budgets: [title: string, source: string, bytes: number][] = [
  ['without behaviours', 'export { createWorker } from "worker.js"', 87_500],
  [
    'with four behaviours',
    'export { createWorker } from "worker.js"; export { auth, delay, idempotency, states } from "behaviours.js"',
    110_500,
  ],
  [
    'with all behaviours',
    'export { createWorker } from "worker.js"; export * from "behaviours.js"',
    175_500,
  ],
  ['with all parts', 'export * from "worker.js"; export * from "behaviours.js"', 220_000],
]

describe('the bundle of a worker', () => {
  it.each(budgets)('%s imports nothing and is within its budget', async (_, source, bytes) => {
    const code = await bundleWorker(source.replaceAll('from "', `from "${dist}/`), [], true)
    expect(code).not.toMatch(/["']node:/)
    expect(code).not.toMatch(/^import\b|\bimport\(/m)
    expect(gzipSync(code, { level: 9 }).length).toBeLessThanOrEqual(bytes)
  })
})
