import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

const docs = readFileSync(
  join(import.meta.dirname, '../../docs/guides/server-side-rendering.md'),
  'utf8',
)

/** The folders of the examples by the headings of the document. */
const folders: [heading: string, folder: string][] = [
  ['Next', 'next'],
  ['Nuxt', 'nuxt'],
  ['SvelteKit', 'sveltekit'],
  ['React Router', 'react-router'],
]

it.each(['lib/supabase.js', 'proxy.js'])('the example of Next has the file %s', (name) => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/speak/supabase-next.md'), 'utf8')
  const text = readFileSync(join(import.meta.dirname, 'next', name), 'utf8')
  expect(page).toContain(`\`\`\`js\n// ${name}\n${text}\`\`\``)
})

it.each(folders)('the example of %s has the code of the document', (heading, folder) => {
  const [, section = ''] = docs.split(`\n## ${heading}\n`)
  const { name = '', code = '' } =
    /```jsx?\n\/\/ (?<name>\S+)\n(?<code>[^]*?)```/.exec(section)?.groups ?? {}
  const text = readFileSync(join(import.meta.dirname, folder, name), 'utf8')
  const statements = code.split('\n').filter((line) => line !== '')
  expect(statements.length).toBeGreaterThan(1)
  expect(statements.filter((line) => !text.includes(line))).toEqual([])
})
