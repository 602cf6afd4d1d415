import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { build } from 'rolldown'
import { afterAll, beforeAll, expect, it } from 'vitest'

/** This Node, and each runtime in RUNTIMES, such as `node-24, bun, deno run -A`. */
const runtimes = [process.execPath, ...(process.env['RUNTIMES'] ?? '').split(',')]
  .map((one) => one.trim())
  .filter((one) => one !== '')
const folder = mkdtempSync(join(tmpdir(), 'fixtura-generated-'))
const program = join(folder, 'generated.mjs')

beforeAll(async () => {
  await build({
    input: join(import.meta.dirname, 'generated.ts'),
    platform: 'node',
    transform: { define: { 'import.meta.dirname': JSON.stringify(import.meta.dirname) } },
    output: { file: program, codeSplitting: false },
    logLevel: 'silent',
  })
})
afterAll(() => rmSync(folder, { recursive: true }))

it.each(runtimes)('generates the same bytes for the same seed on %s', (runtime) => {
  const generated = run(runtime)
  expect(generated).toMatch(/^[\da-f]{64}\n$/)
  expect(generated).toBe(run(process.execPath))
})

function run(runtime: string): string {
  const [command = '', ...flags] = runtime.split(' ')
  const { stdout, stderr } = spawnSync(command, [...flags, program], { encoding: 'utf8' })
  return stdout + stderr
}
