import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

it('shows the test that is run as an example', () => {
  expect(read('README.md')).toContain(read('test/examples/readme/posts.test.ts'))
})

it('shows the fixture that the example has', () => {
  expect(read('README.md')).toContain(read('test/examples/readme/fixtures/posts.json'))
})
