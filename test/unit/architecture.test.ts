import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import {
  entries,
  findViolations,
  readMarkdown,
  readSources,
  type Row,
  toMarkdown,
} from '../architecture.ts'

const root = join(import.meta.dirname, '../..')
const agents = join(root, 'AGENTS.md')

/** The folders whose files import nothing but one another. */
const leaves = [
  'json',
  'text',
  'structures',
  'errors',
  'time',
  'url',
  'log',
  'fixtures',
  'types',
  'formats',
]

/** The layers and what each may import; type imports count. A layer may always import itself. */
const table: Row[] = [
  ['leaves', leaves.map((name) => `core/${name}/`), [], []],
  ['store', ['core/store/'], ['leaves'], []],
  ['query', ['core/query/'], ['leaves'], []],
  ['dialect contract', ['core/dialects/contract/'], ['leaves', 'query'], []],
  [
    'dialects',
    ['core/dialects/'],
    ['leaves', 'query', 'dialect contract'],
    ['inflection', 'pluralize'],
  ],
  ['http', ['core/http/'], ['leaves', 'store', 'query', 'dialect contract'], []],
  [
    'behaviours',
    ['core/behaviours/'],
    ['leaves', 'store', 'dialect contract', 'http', 'proxy core'],
    ['jose', 'standardwebhooks'],
  ],
  ['shape', ['core/shape/'], ['leaves'], []],
  ['drift', ['core/drift/'], ['leaves', 'shape', 'learn'], []],
  ['openapi', ['core/openapi/'], ['leaves', 'http', 'dialect contract', 'dialects', 'shape'], []],
  ['proxy core', ['core/proxy/'], ['leaves', 'http'], []],
  ['har', ['core/har/'], ['leaves', 'http'], []],
  ['learn', ['core/learn/'], ['leaves', 'dialect contract', 'http', 'shape'], []],
  ['documents', ['core/documents/'], ['leaves', 'http', 'shape', 'openapi', 'mock'], ['yaml']],
  ['control', ['core/control/'], ['leaves', 'store', 'http', 'har', 'documents'], []],
  [
    'mock',
    ['core/mock/'],
    ['leaves', 'store', 'query', 'dialect contract', 'dialects', 'http', 'shape'],
    [],
  ],
  [
    'studio',
    ['studio/'],
    [],
    [
      '@codemirror/commands',
      '@codemirror/lang-json',
      '@codemirror/language',
      '@codemirror/lint',
      '@codemirror/state',
      '@codemirror/view',
      '@lezer/highlight',
      '@preact/signals',
      'papaparse',
      'preact',
    ],
  ],
  ['loader', ['loader/'], ['leaves'], ['node:', 'chokidar', 'json5']],
  ['isolation', ['isolation/'], ['leaves', 'http'], ['node:']],
  ['web', ['faces/web/'], ['leaves', 'http', 'mock', 'studio'], []],
  ['fetch face', ['faces/fetch/'], ['leaves', 'dialect contract', 'http', 'mock', 'web'], []],
  ['proxy face', ['faces/proxy/'], ['leaves', 'http', 'proxy core', 'behaviours'], []],
  ['msw face', ['faces/msw/'], ['leaves', 'http', 'web'], ['msw']],
  [
    'browser face',
    ['faces/browser/'],
    ['leaves', 'store', 'http', 'mock', 'control', 'web', 'msw face', 'studio'],
    ['msw'],
  ],
  ['node http', ['faces/node/http/'], ['leaves', 'http', 'mock', 'web'], ['node:']],
  [
    'node face',
    ['faces/node/'],
    ['leaves', 'http', 'mock', 'control', 'web', 'node http', 'studio'],
    ['node:', 'mrmime'],
  ],
  [
    'proxy',
    ['proxy/'],
    ['leaves', 'http', 'proxy core', 'web', 'node http', 'node face'],
    ['node:'],
  ],
  [
    'worker face',
    ['faces/worker/'],
    ['leaves', 'store', 'http', 'mock', 'behaviours', 'control', 'web', 'studio'],
    [],
  ],
  [
    'vite face',
    ['faces/vite/'],
    [
      'leaves',
      'http',
      'shape',
      'mock',
      'control',
      'loader',
      'load',
      'web',
      'node http',
      'node face',
    ],
    ['node:', 'vite'],
  ],
  ['remote', ['remote/'], ['leaves', 'http', 'mock'], []],
  ['ssr', ['ssr/'], ['leaves'], ['node:']],
  ['vitest face', ['faces/vitest/'], ['leaves', 'isolation'], ['vitest']],
  [
    'playwright face',
    ['faces/playwright/'],
    ['leaves', 'http', 'mock', 'web', 'remote'],
    ['@playwright/test'],
  ],
  ['cypress face', ['faces/cypress/'], ['leaves', 'mock', 'web', 'remote'], []],
  [
    'load',
    ['load/'],
    [
      'leaves',
      'dialect contract',
      'http',
      'shape',
      'learn',
      'mock',
      'dialects',
      'proxy core',
      'behaviours',
      'documents',
      'loader',
      'fetch face',
      'node face',
      'proxy',
      'record',
    ],
    ['node:', 'jiti'],
  ],
  [
    'drift sources',
    ['drift/'],
    ['leaves', 'http', 'shape', 'drift', 'learn', 'mock', 'record'],
    ['node:', 'yaml'],
  ],
  [
    'mcp',
    ['mcp/'],
    ['leaves', 'http', 'shape', 'control', 'remote', 'node http', 'node face'],
    ['@modelcontextprotocol/server'],
  ],
  [
    'record',
    ['record/'],
    ['leaves', 'http', 'learn', 'proxy core', 'mock', 'loader', 'load', 'fetch face', 'proxy'],
    ['node:'],
  ],
  [
    'cli',
    ['cli/'],
    [
      'leaves',
      'http',
      'drift',
      'mock',
      'proxy core',
      'loader',
      'load',
      'node face',
      'remote',
      'drift sources',
      'mcp',
      'learn',
      'record',
      'proxy',
    ],
    ['node:', 'open', 'string-width', 'yargs', '@modelcontextprotocol/server'],
  ],
  [entries, ['*.ts'], ['*'], []],
]

describe('the source', () => {
  it('follows the table of layers', () => {
    const sources = readSources(join(root, 'src'))
    expect([...sources.keys()]).toContain('core/json/json.ts')
    expect(findViolations(sources, table)).toEqual([])
  })

  // Runs from the commit on that brings the document.
  it('follows the table in AGENTS.md', () => {
    expect(readMarkdown(readFileSync(agents, 'utf8'))).toBe(toMarkdown(table))
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
    ['a file of 250 lines', { 'core/json/a.ts': `${'\n'.repeat(249)}const a = 1\n` }],
  ]

  it.each(allowed)('lets %s pass', (_title, files) => {
    expect(findViolations(new Map(Object.entries(files)), table)).toEqual([])
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
      'a file of 251 lines',
      { 'core/json/a.ts': `${'\n'.repeat(250)}const a = 1\n` },
      ['core/json/a.ts has 251 lines; 250 is the most.'],
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
    expect(findViolations(new Map(Object.entries(files)), table)).toEqual(expected)
  })

  it('reads a table that a formatter has padded', () => {
    const text = [
      '# Layers',
      '',
      '| layer | files in `src` | may import | packages |',
      '| ----- | -------------- | ---------- | -------- |',
      '| store | `core/store/`  | leaves     | nothing  |',
      '',
      '| other |',
      '',
    ].join('\n')
    expect(readMarkdown(text)).toBe(toMarkdown([['store', ['core/store/'], ['leaves'], []]]))
  })

  it('prints the table as Markdown', () => {
    expect(toMarkdown([['store', ['core/store/'], ['leaves'], []]])).toBe(
      [
        '| layer | files in `src` | may import | packages |',
        '|---|---|---|---|',
        '| store | `core/store/` | leaves | nothing |',
      ].join('\n'),
    )
  })
})

function storeWith(text: string): Record<string, string> {
  return { 'core/store/a.ts': text, 'core/query/b.ts': '' }
}
