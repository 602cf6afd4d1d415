import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { parseArguments } from '../../src/cli/arguments/parse-arguments.ts'

const guide = ['coming-from', 'reference']
  .map((folder) => read(`docs/${folder}/json-server.md`))
  .join('\n')
const packages = ['json-server', 'json-server-v1'].map((name) => `node_modules/${name}`)

/** The flags of json-server 0.17 with their aliases, as its command line defines them. */
const flags0 = Array.from(
  read('node_modules/json-server/lib/cli/index.js').matchAll(
    /^ {4}'?([\w-]+)'?: \{\n {6}alias: '(\w+)'/gm,
  ),
  ([, name = '', alias = '']) => [name, alias] as const,
)
/** The flags that take no value. */
const switches = new Set(['watch', 'read-only', 'quiet', 'no-cors', 'no-gzip'])
/** The flags that this program explains instead. */
const explained = new Set(['no-gzip', 'snapshots'])

/** Command lines of the READMEs of json-server, and those of the guide. */
const lines: readonly (readonly [theirs: string, ours: string])[] = [
  ['json-server --watch db.json --port 3004', 'mock --watch db.json --port 3004'],
  ['json-server db.json --routes routes.json', 'mock db.json --routes routes.json'],
  [
    'json-server db.json --middlewares ./first.js ./second.js',
    'mock db.json --middlewares ./first.js ./second.js',
  ],
  ['npx json-server db.json', 'npx mock db.json'],
  ['json-server db.json -s ./static', 'mock db.json -s ./static'],
  [
    'json-server db.json -s ./static -s ./node_modules',
    'mock db.json -s ./static -s ./node_modules',
  ],
]

describe('the command lines of json-server', () => {
  it.each(lines)('%s is %s', async (theirs, ours) => {
    const readmes = packages.map((name) => read(`${name}/README.md`)).join('\n')
    expect(readmes).toContain(theirs)
    expect(guide).toContain(`\n${ours}\n`)
    const parsed = await parseArguments(ours.replace(/^(?:npx )?mock /, '').split(' '), 80)
    expect(parsed).toMatchObject({ command: 'server', paths: ['db.json'] })
  })

  it('have fifteen flags in json-server 0.17', () => {
    expect(flags0).toHaveLength(15)
  })

  it.each(flags0)('may have --%s and -%s', async (name, alias) => {
    expect(guide).toMatch(new RegExp(`\`--${name}\`[^|]*\`--?${alias}\``))
    for (const flag of [`--${name}`, alias.length > 1 ? `--${alias}` : `-${alias}`]) {
      const args = ['db.json', ...(switches.has(name) ? [flag] : [flag, '1'])]
      const parsed = parseArguments(args, 80)
      if (explained.has(name)) await expect(parsed).rejects.toThrow('Please leave it out: ')
      else expect(await parsed).toMatchObject({ command: 'server', paths: ['db.json'] })
    }
  })

  it.each(['--port', '-p', '--host', '--static', '-s', '--watch', '-w', '--help', '--version'])(
    'may have %s, as in json-server 1',
    async (flag) => {
      expect(guide).toContain(`\`${flag}\``)
      const hasValue = /^--?(?:p|s)/.test(flag) || flag === '--host'
      const parsed = await parseArguments(['db.json', flag, ...(hasValue ? ['1'] : [])], 80)
      expect('text' in parsed || parsed.paths[0] === 'db.json').toBe(true)
    },
  )
})

function read(path: string): string {
  return readFileSync(join(import.meta.dirname, '../..', path), 'utf8')
}
