import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { findViolations, readSources } from '../architecture.ts'
import { layers } from '../layers.ts'

const root = join(import.meta.dirname, '../..')

describe('the source', () => {
  it('follows test/layers.ts', () => {
    const sources = readSources(join(root, 'src'))
    expect([...sources.keys()]).toContain('core/json/json.ts')
    expect(findViolations(sources, layers)).toEqual([])
  })
})

describe('AGENTS.md', () => {
  it('has at most 30 kB, and names files that exist', () => {
    const text = readFileSync(join(root, 'AGENTS.md'), 'utf8')
    const files = ['src', 'test', 'build', 'docs', 'schemas'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => !name.includes('node_modules'))
        .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
    )
    files.push(...readdirSync(root))
    const named = Array.from(
      text.matchAll(/`([\w./-]+\.(?:tsx?|js|json|md))`/g),
      ([, name = '']) => name,
    )
    const missing = named.filter(
      (name) => !files.some((file) => file === name || file.endsWith(`/${name}`)),
    )
    expect(named.length).toBeGreaterThan(80)
    expect(missing).toEqual([])
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(30_000)
  })
})

describe('the check of the source', () => {
  const allowed: [title: string, files: Record<string, string>][] = [
    [
      'a layer that imports one in its row',
      { 'core/store/a.ts': "import { b } from '../json/b.ts'", 'core/json/b.ts': '' },
    ],
    [
      'a layer that imports itself',
      { 'core/query/a.ts': "import { b } from './b.ts'", 'core/query/b.ts': '' },
    ],
    ['a package in its row', { 'loader/a.ts': "import { watch } from 'chokidar'" }],
    ['a path below a package in its row', { 'faces/msw/a.ts': "import { x } from 'msw/node'" }],
    ["Node's modules where the row has them", { 'cli/a.ts': "import { x } from 'node:fs'" }],
    ['an import that is computed', { 'loader/a.ts': 'export const a = await import(b)' }],
    [
      'the dialect contract in http',
      {
        'core/http/a.ts': "import type { D } from '../dialects/contract/dialect.ts'",
        'core/dialects/contract/dialect.ts': '',
      },
    ],
    [
      'an entry that re-exports',
      {
        'index.ts': "export { a } from './core/json/a.ts'",
        'core/json/a.ts': 'export const a = 1',
      },
    ],
    ['a file of 400 lines', { 'core/json/a.ts': `${'\n'.repeat(399)}const a = 1\n` }],
  ]

  it.each(allowed)('lets %s pass', (_title, files) => {
    expect(findViolations(new Map(Object.entries(files)), layers)).toEqual([])
  })

  const outside = 'core/store/a.ts imports core/query/b.ts: "store" may not import "query".'
  const forbidden: [title: string, files: Record<string, string>, expected: string[]][] = [
    ['an import', storeWith("import { b } from '../query/b.ts'"), [outside]],
    ['an import for its effect', storeWith("import '../query/b.ts'"), [outside]],
    ['a type import', storeWith("import type { B } from '../query/b.ts'"), [outside]],
    ['an inline type import', storeWith("import { type B } from '../query/b.ts'"), [outside]],
    ['a re-export', storeWith("export { b } from '../query/b.ts'"), [outside]],
    ['a type re-export', storeWith("export type { B } from '../query/b.ts'"), [outside]],
    ['an import type', storeWith("let b: import('../query/b.ts').B"), [outside]],
    ['a dynamic import', storeWith("const f = () => import('../query/b.ts')"), [outside]],
    ['a dynamic import in backticks', storeWith('await import(`../query/b.ts`)'), [outside]],
    [
      'an imported dialect in http',
      { 'core/http/a.ts': "import '../dialects/b.ts'", 'core/dialects/b.ts': '' },
      ['core/http/a.ts imports core/dialects/b.ts: "http" may not import "dialects".'],
    ],
    [
      'a behaviour in the composition root',
      { 'core/mock/a.ts': "import '../behaviours/b.ts'", 'core/behaviours/b.ts': '' },
      ['core/mock/a.ts imports core/behaviours/b.ts: "mock" may not import "behaviours".'],
    ],
    [
      'one face in another',
      { 'faces/msw/a.ts': "import '../fetch/b.ts'", 'faces/fetch/b.ts': '' },
      ['faces/msw/a.ts imports faces/fetch/b.ts: "msw face" may not import "fetch face".'],
    ],
    [
      'an entry below the entries',
      { 'cli/a.ts': "import '../index.ts'", 'index.ts': '' },
      ['cli/a.ts imports index.ts: "cli" may not import "entries".'],
    ],
    [
      "Node's modules in core",
      { 'core/json/a.ts': "import type { Stats } from 'node:fs'" },
      ['core/json/a.ts imports "node:fs": "leaves" may not import the package "node:".'],
    ],
    [
      "Node's modules without the prefix",
      { 'loader/a.ts': "import { readFile } from 'fs/promises'" },
      ['loader/a.ts imports "fs/promises": "loader" may not import the package "fs".'],
    ],
    [
      'a package of another layer',
      { 'faces/node/a.ts': "const load = () => import('msw/node')" },
      ['faces/node/a.ts imports "msw/node": "node face" may not import the package "msw".'],
    ],
    [
      'a scoped package in no row',
      { 'core/json/a.ts': "import { x } from '@acme/tools/x'" },
      [
        'core/json/a.ts imports "@acme/tools/x": "leaves" may not import the package "@acme/tools".',
      ],
    ],
    [
      'a path out of src',
      { 'cli/a.ts': "import '../../package.json'" },
      ['cli/a.ts imports "../../package.json", which is not a file of src.'],
    ],
    [
      'a cycle, type imports included',
      {
        'core/json/a.ts': "import type { B } from './b.ts'",
        'core/json/b.ts': "import { c } from './c.ts'",
        'core/json/c.ts': "import { a } from './a.ts'",
      },
      ['core/json/a.ts -> core/json/b.ts -> core/json/c.ts -> core/json/a.ts is a cycle.'],
    ],
    [
      'a file that imports itself',
      { 'core/json/a.ts': "import './a.ts'" },
      ['core/json/a.ts -> core/json/a.ts is a cycle.'],
    ],
    [
      'a file of 401 lines',
      { 'core/json/a.ts': `${'\n'.repeat(400)}const a = 1\n` },
      ['core/json/a.ts has 401 lines; 400 is the most.'],
    ],
    [
      'a default export',
      { 'core/json/a.ts': 'export default 1' },
      ['core/json/a.ts has a default export.'],
    ],
    [
      'a default export in an export list',
      { 'core/json/a.ts': 'const a = 1\nexport { a as default }' },
      ['core/json/a.ts has a default export.'],
    ],
    [
      'an "export *"',
      { 'core/json/a.ts': "export * from './b.ts'", 'core/json/b.ts': '' },
      ['core/json/a.ts has an "export *".'],
    ],
    [
      'code in an entry',
      { 'index.ts': 'export const a = 1' },
      ['index.ts is an entry and holds more than "export { } from".'],
    ],
    ['a file outside the layers', { 'utils/a.ts': '' }, ['utils/a.ts belongs to no layer.']],
  ]

  it.each(forbidden)('finds %s', (_title, files, expected) => {
    expect(findViolations(new Map(Object.entries(files)), layers)).toEqual(expected)
  })
})

function storeWith(text: string): Record<string, string> {
  return { 'core/store/a.ts': text, 'core/query/b.ts': '' }
}
