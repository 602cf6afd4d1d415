import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

import ts from 'typescript59'

import type { Page } from './sidebar.ts'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'docs/reference/code')
const run = promisify(execFile)

/**
 * Writes the pages of the reference that come from the code: the help of the command, the JSON Schema of the
 * configuration, the parameters in the OpenAPI documents of the dialects, and the declarations of each entry with
 * their comments. Returns the pages for the sidebar.
 */
export async function writeReference(): Promise<Page[]> {
  const [command, parameters] = await Promise.all([commandPage(), parametersPage()])
  const pages = [command, ...configurationPages(), parameters, ...entryPages()]
  mkdirSync(folder, { recursive: true })
  const names = pages.map(({ name }) => `${name}.md`)
  for (const name of readdirSync(folder)) if (!names.includes(name)) rmSync(join(folder, name))
  for (const { name, title, description, lines } of pages) {
    const head = ['---', `description: ${JSON.stringify(description)}`, 'editLink: false', '---']
    const text = `${[...head, '', `# ${title}`, '', ...lines].join('\n')}\n`
    const path = join(folder, `${name}.md`)
    // A file that is written again would restart the server of `npm run docs`.
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text)
  }
  return pages.map(({ name, title }) => ({ text: title, link: `/reference/code/${name}` }))
}

/** A generated page; its name is that of its file. */
interface Generated {
  name: string
  title: string
  description: string
  lines: string[]
}

const mock = async (args: readonly string[]): Promise<string> => {
  const options = { cwd: root, env: { ...process.env, COLUMNS: '100', NO_COLOR: '1' } }
  const { stdout } = await run(process.execPath, ['bin/mock.js', ...args], {
    ...options,
    maxBuffer: 1e8,
  })
  return stdout
}

async function commandPage(): Promise<Generated> {
  const overview = await mock(['--help'])
  const names = Array.from(overview.matchAll(/^ {2}mock (\w+)/gm), ([, name = '']) => name)
  const texts = await Promise.all(names.map(async (name) => mock([name, '--help'])))
  return {
    name: 'command',
    title: 'The command',
    description: 'What mock --help and the help of each command print',
    lines: texts.flatMap((text, index) => [
      `## mock ${names[index]}`,
      '',
      '```text',
      text.trimEnd(),
      '```',
      '',
    ]),
  }
}

/** The parts of a JSON Schema that the pages show. */
interface Schema {
  $ref?: string
  description?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  required?: string[]
  $defs?: Record<string, Schema>
}

function configurationPages(): Generated[] {
  const schema = JSON.parse(readFileSync(join(root, 'schemas/config.json'), 'utf8')) as Schema
  const { properties = {}, $defs = {} } = schema
  const { $schema: _, use: _use, ...options } = properties
  const ofOptions = reachable(options, $defs)
  const sections = (names: readonly string[]): string[] =>
    names.flatMap((name) => {
      const one = $defs[name] ?? {}
      const rows = propertiesOf(one).flatMap((variant) => toRows(variant))
      return [
        `## ${name}`,
        '',
        ...(one.description === undefined ? [] : [escapeText(one.description), '']),
        ...(rows.length > 0 ? [...table('option', 'type', 'meaning'), ...rows, ''] : []),
        ...(rows.length === 0 ? [`\`${typeOf(one)}\``, ''] : []),
      ]
    })
  const names = Object.keys($defs).filter((name) => name !== 'use')
  return [
    {
      name: 'options',
      title: 'Options of the configuration',
      description: 'Every option of mock.config.json, from its JSON Schema',
      lines: [
        'From the JSON Schema of `mock.config.json`, which the package has as `schemas/config.json`. `mock.config.js` and `.ts` take the same options.',
        '',
        ...table('option', 'type', 'meaning'),
        ...Object.entries(options).map(([name, one]) => toRow(name, one)),
        '',
        ...sections(names.filter((name) => ofOptions.has(name))),
      ],
    },
    {
      name: 'behaviour-options',
      title: 'Options of behaviours',
      description: 'The options of each behaviour of use, from the JSON Schema',
      lines: [
        'The options of the behaviours in `use`, as a configuration file in JSON has them. In code, each is a function of `fixtura/behaviours`.',
        '',
        ...sections(names.filter((name) => !ofOptions.has(name))),
      ],
    },
  ]
}

/** The names of the definitions that a part of a schema refers to, also through others. */
function reachable(
  part: unknown,
  all: Record<string, Schema>,
  found: Set<string> = new Set(),
): Set<string> {
  for (const [, name = ''] of JSON.stringify(part).matchAll(/#\/\$defs\/(\w+)/g)) {
    if (found.has(name)) continue
    found.add(name)
    reachable(all[name], all, found)
  }
  return found
}

/** The objects among the variants of a schema. */
function propertiesOf(schema: Schema): Schema[] {
  const variants = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]
  return variants.filter((one) => one.properties !== undefined)
}

function toRows({ properties = {} }: Schema): string[] {
  return Object.entries(properties).map(([name, one]) => toRow(name, one))
}

function toRow(name: string, schema: Schema): string {
  const { description = '', default: initial } = schema
  const meaning = [
    escapeText(description),
    initial === undefined ? '' : `Default: \`${JSON.stringify(initial)}\`.`,
  ]
  return row(`\`${name}\``, `\`${typeOf(schema)}\``, meaning.filter(Boolean).join(' '))
}

/** A schema as a type, in the manner of TypeScript; a reference is the name of its section. */
function typeOf(schema: Schema): string {
  const { $ref, enum: values, const: value, type, items, anyOf, oneOf, properties } = schema
  if ($ref !== undefined) return $ref.replace('#/$defs/', '')
  if (values) return values.map((one) => JSON.stringify(one)).join(' | ')
  if (value !== undefined) return JSON.stringify(value)
  const variants = anyOf ?? oneOf
  if (variants) return [...new Set(variants.map(typeOf))].join(' | ')
  if (items) return `${/ \| /.test(typeOf(items)) ? `(${typeOf(items)})` : typeOf(items)}[]`
  if (properties) return `{ ${Object.keys(properties).join(', ')} }`
  const { additionalProperties } = schema
  if (typeof additionalProperties === 'object') return `{ [name]: ${typeOf(additionalProperties)} }`
  return typeof type === 'string' ? type : (type?.join(' | ') ?? 'any')
}

const fixtures = ['posts', 'comments', 'users'].map((name) => `fixtures/${name}.json`)

/** The dialects whose lists have parameters that an OpenAPI document can name. */
const dialects = [
  'rest',
  'json-server-0',
  'json-server-1',
  'simple-rest',
  'json-api',
  'supabase',
  'laravel',
  'django-rest-framework',
  'spring-data-rest',
  'nestjsx-crud',
  'strapi',
  'directus',
  'pocketbase',
]

interface Parameter {
  $ref?: string
  name: string
  in: string
  description?: string
}

async function parametersPage(): Promise<Generated> {
  const sections = await Promise.all(
    dialects.map(async (dialect) => {
      const text = await mock(['openapi', ...fixtures, '--dialect', dialect])
      const document = JSON.parse(text) as {
        paths: Record<string, { get?: { parameters?: Parameter[] } }>
        components: { parameters?: Record<string, Parameter> }
      }
      const [, posts] =
        Object.entries(document.paths).find(([path]) => path.endsWith('/posts')) ?? []
      const parameters = (posts?.get?.parameters ?? []).map((one) =>
        one.$ref === undefined
          ? one
          : (document.components.parameters?.[one.$ref.split('/').at(-1) ?? ''] ?? one),
      )
      const rows = parameters
        .filter((one) => one.in === 'query')
        .map((one) => row(`\`${one.name}\``, escapeText(one.description ?? '')))
      return [`## ${dialect}`, '', ...table('parameter', 'meaning'), ...rows, '']
    }),
  )
  return {
    name: 'parameters',
    title: 'Parameters of the dialects',
    description: 'The query parameters of a list in each dialect',
    lines: [
      'The query parameters of `GET /posts`, from the OpenAPI document that each dialect writes about the fixtures of the repository: `mock openapi --dialect laravel`. Filters are named after the fields of `posts`.',
      '',
      ...sections.flat(),
    ],
  }
}

/** A page for each entry of the package. */
function entryPages(): Generated[] {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, unknown>
  }
  const entries = Object.keys(exports).filter((path) => !path.endsWith('.json'))
  const fileOf = (entry: string): string =>
    join(root, 'dist', `${entry === '.' ? 'index' : entry.slice(2)}.d.ts`)
  const program = ts.createProgram(entries.map(fileOf), {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: [],
  })
  const checker = program.getTypeChecker()
  return entries.map((entry): Generated => {
    const file = program.getSourceFile(fileOf(entry))
    const module = file && checker.getSymbolAtLocation(file)
    const symbols = module ? checker.getExportsOfModule(module) : []
    const resolved = symbols.map((symbol) => ({
      name: symbol.name,
      symbol: symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
    }))
    const isValue = ({ symbol }: { symbol: ts.Symbol }): boolean =>
      (symbol.flags & ts.SymbolFlags.Value) !== 0
    const ordered = [...resolved.filter(isValue), ...resolved.filter((one) => !isValue(one))]
    const title = entry === '.' ? 'fixtura' : `fixtura/${entry.slice(2)}`
    return {
      name: entry === '.' ? 'fixtura' : entry.slice(2),
      title,
      description: `What ${title} exports, with types`,
      lines: [
        '```ts',
        'import {',
        ...inLines(resolved.filter(isValue).map(({ name }) => name)),
        `} from '${title}'`,
        '```',
        '',
        ...ordered.flatMap(({ name, symbol }) => toSection(name, symbol, checker)),
      ],
    }
  })
}

/** Names with commas, in lines of at most 76 characters. */
function inLines(names: readonly string[]): string[] {
  const lines: string[] = []
  for (const name of names) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + name.length < 74)
      lines.splice(-1, 1, `${last} ${name},`)
    else lines.push(`  ${name},`)
  }
  return lines
}

function toSection(name: string, symbol: ts.Symbol, checker: ts.TypeChecker): string[] {
  const declarations = symbol.declarations ?? []
  const [first] = declarations
  const members =
    first && ts.isInterfaceDeclaration(first)
      ? first.members.map((member) => toMember(member, checker))
      : []
  const signatures = declarations.map((one) =>
    ts.isInterfaceDeclaration(one) ? headOf(one) : printed(one),
  )
  const tags = symbol.getJsDocTags(checker)
  const examples = tags.filter((tag) => tag.name === 'example').map((tag) => textOf(tag.text))
  const throws = tags.filter((tag) => tag.name === 'throws').map((tag) => textOf(tag.text))
  return [
    `## ${name}`,
    '',
    escapeText(textOf(symbol.getDocumentationComment(checker))),
    '',
    ...throws.map((text) => `Throws ${escapeText(text.replace(/^\{.*?\} /, ''))}.\n`),
    '```ts',
    ...signatures,
    '```',
    '',
    ...(members.length > 0 ? [...table('member', 'type', 'meaning'), ...members, ''] : []),
    ...examples.flatMap((text) => ['Example:', '', '```ts', text, '```', '']),
  ]
}

function toMember(member: ts.TypeElement, checker: ts.TypeChecker): string {
  const symbol = member.name && checker.getSymbolAtLocation(member.name)
  const name = member.name?.getText() ?? member.getText().replace(/[:;].*$/s, '')
  const optional = member.questionToken ? '?' : ''
  const type =
    ts.isPropertySignature(member) && member.type
      ? member.type.getText()
      : member.getText().slice(member.name ? name.length + optional.length : 0)
  const initial = symbol?.getJsDocTags(checker).find((tag) => tag.name === 'default')
  const meaning = [
    escapeText(textOf(symbol?.getDocumentationComment(checker))),
    initial ? `Default: ${escapeText(textOf(initial.text))}.` : '',
  ]
  const code = type.replaceAll(/\s+/g, ' ').replace(/;$/, '')
  return row(`\`${name}${optional}\``, `\`${code}\``, meaning.filter(Boolean).join(' '))
}

/** The first line of an interface, whose members are a table. */
function headOf(declaration: ts.InterfaceDeclaration): string {
  const text = printed(declaration)
  return text.slice(0, text.indexOf('{')).trim()
}

/** A declaration without comments, `export` and `declare`. */
function printed(declaration: ts.Declaration): string {
  const node = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration
  const text = ts
    .createPrinter({ removeComments: true })
    .printNode(ts.EmitHint.Unspecified, node, node.getSourceFile())
  return text.replace(/^export (?:declare )?/, '').replace(/;$/, '')
}

function textOf(parts: readonly ts.SymbolDisplayPart[] = []): string {
  return ts.displayPartsToString([...parts]).replaceAll(/\{@link\s+([^}|]+?)\s*\}/g, '`$1`')
}

const table = (...names: string[]): string[] => [
  `| ${names.join(' | ')} |`,
  `| ${names.map(() => '---').join(' | ')} |`,
]

const row = (...cells: string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll(/\s*\n\s*/g, ' ').replaceAll('|', '\\|')).join(' | ')} |`

/** Plain text as Markdown: outside of code, no tag and no expression of Vue. */
function escapeText(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part
            .replaceAll('<', '&lt;')
            .replaceAll('{{', '&#123;&#123;')
            .replaceAll(/(?<!\w)(_\w+)/g, '`$1`'),
    )
    .join('')
}
