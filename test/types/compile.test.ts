import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

import { describe, expect, it } from 'vitest'

const tsc = join(
  dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin/tsc',
)

describe('code that uses the library', () => {
  it('fails to compile on the lines marked wrong, and on no other line', async () => {
    const file = join(import.meta.dirname, 'wrong/fixtura.ts')
    const lines = readFileSync(file, 'utf8').split('\n')
    const marked = lines.flatMap((line, index) => (line.endsWith('// wrong') ? [index + 1] : []))
    const { errors } = await compile('wrong')
    expect(marked.length).toBeGreaterThan(10)
    expect(errors.map(([path]) => path)).toEqual(errors.map(() => file))
    expect([...new Set(errors.map(([, line]) => line))]).toEqual(marked)
  })

  const majors: [major: number, config: string, core: RegExp][] = [
    [2, 'msw', /node_modules\/msw\/lib\/core\/index\.d\.[mc]?ts$/m],
    [3, 'msw/tsconfig.msw-3.json', /node_modules\/msw3\/lib\/core\/index\.d\.ts$/m],
  ]

  it.each(majors)('compiles with msw %i', async (_major, config, core) => {
    const { errors, output } = await compile(config, '--listFiles')
    expect(errors).toEqual([])
    expect(output).toMatch(core)
    for (const [, , other] of majors) if (other !== core) expect(output).not.toMatch(other)
  })
})

type Problem = [file: string, line: number, message: string]

/** Compiles a project below this folder; returns the errors and the output. */
async function compile(
  project: string,
  ...options: string[]
): Promise<{ errors: Problem[]; output: string }> {
  const args = [
    tsc,
    '--project',
    join(import.meta.dirname, project),
    '--pretty',
    'false',
    ...options,
  ]
  const cwd = join(import.meta.dirname, '../..')
  const output = await promisify(execFile)(process.execPath, args, { cwd, maxBuffer: 1e8 }).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  )
  const found = output.matchAll(/^(?:(.+)\((\d+),\d+\): )?error (TS.*)$/gm)
  const errors = Array.from(found, ([, path = '', line, message = '']): Problem => {
    return [path && join(cwd, path), Number(line), message]
  })
  return { errors, output }
}
