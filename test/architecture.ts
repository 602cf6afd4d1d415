import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'

import { parseAst } from 'rolldown/parseAst'

/**
 * One layer: its name, its files below `src` (`core/mock.ts`, `core/store/` or `core/*.ts`; the longest
 * matching pattern wins), the other layers it may import, and the packages it may import. `node:` allows
 * Node's own modules, `*` allows everything.
 */
export type Row = readonly [
  layer: string,
  files: readonly string[],
  mayImport: readonly string[],
  packages: readonly string[],
]

/** The layer whose files only re-export names. */
export const entries = 'entries'

/** Reads all source files below a folder, by relative path with `/` as separator. */
export function readSources(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const sources = names.filter((name) => /\.[cm]?[jt]sx?$/.test(name)).toSorted()
  return new Map(
    sources.map((name) => [name.replaceAll(sep, '/'), readFileSync(join(folder, name), 'utf8')]),
  )
}

/** Describes each violation of the table and of the rules for all files. */
export function findViolations(
  files: ReadonlyMap<string, string>,
  table: readonly Row[],
): string[] {
  const modules = new Map(
    [...files].map(([path, text]) => [path, parse(text, path.endsWith('.tsx') ? 'tsx' : 'ts')]),
  )
  return [
    ...[...files].flatMap(([path, text]) => findTooLong(path, text)),
    ...[...modules].flatMap(([path, module]) => findForbidden(path, module, table)),
    ...[...modules].flatMap(([path, module]) =>
      module.imports.flatMap((specifier) => checkEdge(path, specifier, modules, table)),
    ),
    ...findCycles(modules),
  ]
}

interface Module {
  imports: string[]
  hasDefaultExport: boolean
  hasStarExport: boolean
  hasCode: boolean
}

const maxLines = 400
const anything = '*'

function parse(text: string, lang: 'ts' | 'tsx' = 'ts'): Module {
  const { body } = parseAst(text, { lang, astType: 'ts' })
  return {
    imports: [...new Set(findSpecifiers(body))],
    hasDefaultExport: body.some(
      (node) =>
        node.type === 'ExportDefaultDeclaration' ||
        (node.type === 'ExportNamedDeclaration' &&
          node.specifiers.some(({ exported }) => nameOf(exported) === 'default')),
    ),
    hasStarExport: body.some((node) => node.type === 'ExportAllDeclaration'),
    hasCode: body.some((node) => node.type !== 'ExportNamedDeclaration' || node.source === null),
  }
}

function nameOf(exported: { name: string } | { value: string }): string {
  return 'name' in exported ? exported.name : exported.value
}

/** The specifiers of `import`, `export from`, `import()` and the type `import('x')`, at any depth. */
function findSpecifiers(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  const nested = Object.values(node).flatMap(findSpecifiers)
  const source = 'source' in node ? textOf(node.source) : undefined
  return source === undefined ? nested : [source, ...nested]
}

/** The value of a string literal; undefined for a computed specifier, which cannot be checked. */
function textOf(node: unknown): string | undefined {
  if (typeof node !== 'object' || node === null) return undefined
  if ('value' in node && typeof node.value === 'string') return node.value
  if (!('quasis' in node) || !Array.isArray(node.quasis) || node.quasis.length !== 1) {
    return undefined
  }
  const [part] = node.quasis as { value: { cooked: string } }[]
  return part?.value.cooked
}

function findTooLong(path: string, text: string): string[] {
  const lines = text.replace(/\n$/, '').split('\n').length
  return lines > maxLines ? [`${path} has ${lines} lines; ${maxLines} is the most.`] : []
}

function findForbidden(path: string, module: Module, table: readonly Row[]): string[] {
  const layer = layerOf(path, table)?.[0]
  const isEntry = layer === entries
  const rules: [isBroken: boolean, message: string][] = [
    [layer === undefined, 'belongs to no layer'],
    [module.hasDefaultExport, 'has a default export'],
    [module.hasStarExport, 'has an "export *"'],
    [isEntry && module.hasCode, 'is an entry and holds more than "export { } from"'],
  ]
  return rules.filter(([isBroken]) => isBroken).map(([, message]) => `${path} ${message}.`)
}

function checkEdge(
  from: string,
  specifier: string,
  modules: ReadonlyMap<string, Module>,
  table: readonly Row[],
): string[] {
  const row = layerOf(from, table)
  if (row === undefined) return []
  const [layer, , mayImport, packages] = row
  if (!specifier.startsWith('.')) {
    const name = packageOf(specifier)
    if (packages.includes(name) || packages.includes(anything)) return []
    return [`${from} imports "${specifier}": "${layer}" may not import the package "${name}".`]
  }
  const to = resolve(from, specifier)
  if (!modules.has(to)) return [`${from} imports "${specifier}", which is not a file of src.`]
  const target = layerOf(to, table)?.[0]
  if (target === undefined || target === layer) return []
  if (mayImport.includes(target) || mayImport.includes(anything)) return []
  return [`${from} imports ${to}: "${layer}" may not import "${target}".`]
}

function layerOf(path: string, table: readonly Row[]): Row | undefined {
  const found = table.flatMap((row) =>
    row[1].filter((pattern) => matches(path, pattern)).map((pattern) => ({ row, pattern })),
  )
  const weight = (pattern: string): number => (pattern.includes('*') ? 0 : pattern.length)
  return found.toSorted((a, b) => weight(b.pattern) - weight(a.pattern))[0]?.row
}

function matches(path: string, pattern: string): boolean {
  if (pattern.endsWith('/')) return path.startsWith(pattern)
  if (!pattern.endsWith('*.ts')) return path === pattern
  const folder = pattern.slice(0, -'*.ts'.length)
  return path.startsWith(folder) && !path.slice(folder.length).includes('/')
}

function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return 'node:'
  const [first = '', second = ''] = specifier.split('/')
  return first.startsWith('@') ? `${first}/${second}` : first
}

function resolve(from: string, specifier: string): string {
  return posix.join(posix.dirname(from), specifier)
}

/** Each import cycle once, as the path through its files. */
function findCycles(modules: ReadonlyMap<string, Module>): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path)
    if (start >= 0) found.push(`${[...trail.slice(start), path].join(' -> ')} is a cycle.`)
    if (start >= 0 || done.has(path)) return
    for (const specifier of modules.get(path)?.imports ?? []) {
      if (specifier.startsWith('.')) visit(resolve(path, specifier), [...trail, path])
    }
    done.add(path)
  }
  for (const path of modules.keys()) visit(path, [])
  return found
}
