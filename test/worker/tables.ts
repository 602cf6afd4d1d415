import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

import type { RolldownPluginOption } from 'rolldown'

import { workerEntry } from '../workerd.ts'

const test = join(import.meta.dirname, '..')

/** What the test files of the contract import, and what their tables need of it inside a worker. */
const replaced: [specifier: RegExp, exports: string[]][] = [
  [/^node:/, ['readFileSync', 'request', 'join']],
  [/^msw(\/node)?$/, ['setupServer']],
  [/src\/(msw|node)\.ts$/, ['handlers', 'strict', 'serve']],
  [/(wire|peers\/harness\/server|loader\/folder)\.ts$/, ['send', 'listen', 'createFolder']],
  [/^vitest$/, ['describe', 'it', 'expect', 'vi', 'onTestFinished', 'afterEach']],
  [/\/faces\.ts$/, ['contract', 'faces', 'tables', 'bodyOf', 'expectAnswer', 'sendOverHttp']],
]

/**
 * The source of a program that has the tables of `test/contract`: their test files, in which `contract` keeps
 * the function that creates a mock, and then the exports of a module that runs the tables.
 */
export function tableSource(exports: string, harness: string): string {
  const folder = join(test, 'contract')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && hasTable(join(folder, name)))
    .toSorted()
  const imports = files.map((name) => `import ${JSON.stringify(join(folder, name))}\n`).join('')
  return `${imports}export { ${exports} } from ${JSON.stringify(harness)}`
}

/** Whether a test file has a table that runs on every face. */
function hasTable(file: string): boolean {
  return /^\s*contract\(/m.test(readFileSync(file, 'utf8'))
}

/** Replaces what the test files import by the exports of `harness`: `createMock`, `contractOf` and others. */
export const replaceImports = (harness: string): RolldownPluginOption => ({
  name: 'replace-imports',
  resolveId(id, importer) {
    // The package has no side effects, but its tests have.
    if (importer === workerEntry && id.endsWith('.test.ts')) return { id, moduleSideEffects: true }
    if (!importer?.startsWith(join(test, 'contract'))) return null
    // A mock is created inside of an object.
    if (id.endsWith('src/index.ts')) return '\0index'
    const at = replaced.findIndex(([specifier]) => specifier.test(id))
    return at < 0 ? null : `\0replaced:${at}:${basename(importer)}`
  },
  load(id) {
    if (id === '\0index') {
      const index = JSON.stringify(join(test, '../src/index.ts'))
      return `export * from ${index}\nexport { createMock } from ${JSON.stringify(harness)}`
    }
    const [, at, file] = /^\0replaced:(\d+):(.*)$/.exec(id) ?? []
    if (at === undefined) return null
    const names = replaced[Number(at)]?.[1] ?? []
    const own = names.filter((name) => ['describe', 'contract'].includes(name))
    const others = names.filter((name) => !own.includes(name))
    return [
      `import { anything, describe, contractOf } from ${JSON.stringify(harness)}`,
      // Tables of two files can have one title.
      `const contract = contractOf(${JSON.stringify(file)})`,
      `export default anything`,
      ...(own.length > 0 ? [`export { ${own.join(', ')} }`] : []),
      ...others.map((name) => `export const ${name} = anything`),
    ].join('\n')
  },
})
