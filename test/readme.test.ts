import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

import { checkFileConfig } from '../src/load/config/check-config.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

it('contains the test of the example', () => {
  expect(read('README.md')).toContain(read('test/examples/readme/posts.test.ts'))
})

it('contains the fixture of the example', () => {
  expect(read('README.md')).toContain(read('test/examples/readme/fixtures/posts.json'))
})

it('documents every option of the configuration', () => {
  const text = read('docs/configuration.md')
  const known = knownOptions()
  expect(known.length).toBeGreaterThan(30)
  expect(known.filter((name) => !text.includes(`\`${name}\``))).toEqual([])
})

/** The known options, as the error for an unknown option lists them. */
function knownOptions(): string[] {
  try {
    checkFileConfig({ '?': true } as object)
  } catch (error) {
    return /Known: (.*)\.$/.exec(String(error))?.[1]?.split(', ') ?? []
  }
  return []
}
