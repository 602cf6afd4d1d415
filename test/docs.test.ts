import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

/** A program in a document, followed by its output. */
const example = /```js\n(?<code>(?:(?!```)[^])*)```\n+```text\n(?<output>[^]*?)```/g

/** The documents with programs. */
const documents = readdirSync(join(root, 'docs')).filter(
  (name) => readFileSync(join(root, 'docs', name), 'utf8').search(example) >= 0,
)

describe.each(documents)('docs/%s', (name) => {
  const text = readFileSync(join(root, 'docs', name), 'utf8')
  const programs = [...text.matchAll(example)].map(({ groups = {}, index }) => {
    const title =
      text
        .slice(0, index)
        .match(/^#+ .*$/gm)
        ?.at(-1) ?? ''
    return [title, groups['code'] ?? '', groups['output'] ?? ''] as const
  })

  it.each(programs)('prints the output that the document shows under "%s"', (_, code, output) => {
    expect(run(code)).toBe(output)
  })
})

/** Runs a module in a new process, where `fixtura` is the built package; returns its output. */
function run(code: string): string {
  return execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: root,
    encoding: 'utf8',
  })
}
