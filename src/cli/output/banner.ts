import { isResourceRoute } from '../../core/http/contract/internals.ts'
import type { CoreMock } from '../../core/mock/core-mock.ts'
import { countOf } from '../../core/text/count-of.ts'
import { homeOf } from './addresses.ts'
import { toColumn } from './column.ts'
import type { Paint, Terminal } from './terminal.ts'
import { toPrintable, toReadable } from './printable.ts'

/** The banner of `mock server`: the URLs, the page of the mock, the routes with their content, and the keys. */
export async function describeServer(
  facts: ServerFacts,
  { paint, columns }: Terminal,
): Promise<string> {
  const { urls, version, readyMs, token, routes, base, keys } = facts
  const [url = '', ...others] = urls
  const title = `Fixtura ${version}`
  const label = 'Studio'.padEnd(title.length)
  const ready = `ready in ${Math.round(readyMs)} ms`
  const isWide = title.length + url.length + ready.length + 6 <= columns
  return [
    '',
    `  ${paint.bold('Fixtura')} ${paint.dim(version)}  ${paint.cyan(url)}${isWide ? `  ${paint.dim(ready)}` : ''}`,
    ...others.map((other) => `  ${paint.cyan(other)}`),
    ...(token === undefined ? [] : [`  Token for /__mock: ${token}`]),
    `  ${label}  ${paint.cyan(homeOf(url, token))}`,
    ...(isWide ? [] : [`  ${paint.dim(ready)}`]),
    '',
    ...(await describeRows(toRows(routes, base), { url, base }, paint, columns)),
    ...(keys.length > 0 ? ['', ...describeKeys(keys, paint, columns)] : []),
    '',
  ].join('\n')
}

/** The content of the banner. */
export interface ServerFacts {
  /** The URLs of the server, the one for this machine first. */
  urls: readonly string[]
  version: string
  /** The time from the start of the process until the server answers, in milliseconds. */
  readyMs: number
  /** The token that requests to `/__mock` need; undefined if they need no token. */
  token?: string | undefined
  routes: CoreMock['routes']
  /** The path prefix of all routes (option `base`). */
  base: string
  /** The keys and what they do; empty without a terminal. */
  keys: readonly (readonly [key: string, label: string])[]
}

/** A line of the banner below the URLs: a path, and what is there. */
interface Row {
  path: string
  content: string
}

/** The most resources that have a line each; of more, each folder has a line. */
const MAX_RESOURCES = 12

/** The most lines about resources, and about routes of behaviours. */
const MAX_ROWS = 20

type Route = CoreMock['routes'][number]

/** The rows about resources, a line for each folder if there are many, and about the routes of behaviours. */
function toRows(routes: readonly Route[], base: string): Row[] {
  const resources = routes.filter(isResourceRoute)
  const shown =
    resources.length > MAX_RESOURCES
      ? toFolders(resources)
      : resources.map((route) => toRow(route, base))
  // Several behaviours or methods can have one path, and a route that rewrites a path can have that of a resource.
  const known = new Set(resources.map(({ path }) => path))
  const custom = new Map<string, string[]>()
  for (const { path, methods, kind } of routes) {
    if (kind !== 'custom' || known.has(path)) continue
    custom.set(path, [...(custom.get(path) ?? []), ...methods])
  }
  const patterns = Array.from(custom, ([path, methods]) => ({
    path: toTyped(path.slice(base.length)),
    content: [...new Set(methods)]
      .map((method) => (method === '*' ? 'any method' : method))
      .join(' '),
  }))
  return [...cut(shown), ...cut(patterns)]
}

/** Leaves out the last of too many rows, and says how many. */
function cut(rows: readonly Row[]): Row[] {
  if (rows.length <= MAX_ROWS) return [...rows]
  const hidden = rows.length - MAX_ROWS
  return [
    ...rows.slice(0, MAX_ROWS),
    { path: '', content: `and ${hidden.toLocaleString('en')} more` },
  ]
}

function toRow(route: Route, base: string): Row {
  return { path: toUrl(route.path.slice(base.length)), content: describeContent(route) }
}

/** Makes a row for each folder of resources: the numbers of its resources and records. */
function toFolders(resources: readonly Route[]): Row[] {
  const folders = new Map<string, Route[]>()
  for (const route of resources) {
    const folder = route.resource.slice(0, route.resource.lastIndexOf('/') + 1)
    folders.set(folder, [...(folders.get(folder) ?? []), route])
  }
  return Array.from(folders, ([folder, list]) => {
    const records = list.reduce(
      (sum, { kind, count }) => sum + (kind === 'collection' ? count : 0),
      0,
    )
    return {
      path: `${toUrl(`/${folder}`)}*`,
      content: `${countOf(list.length, 'resource')}, ${countOf(records, 'record')}`,
    }
  })
}

/** Writes the rows with their contents in a column; without the origin if the lines would be too long. */
async function describeRows(
  rows: readonly Row[],
  { url, base }: { url: string; base: string },
  { dim }: Paint,
  columns: number,
): Promise<string[]> {
  if (rows.length === 0) return ['  No resources yet.']
  const paths = await toColumn(rows.map(({ path }) => path))
  const contentWidth = Math.max(...rows.map(({ content }) => content.length))
  const start = url.length + paths.width + contentWidth + 4 <= columns ? url : base
  return rows.map(({ path, content }, at) =>
    path === '' ? `  ${content}` : `  ${start}${paths.texts[at] ?? path}  ${dim(content)}`,
  )
}

/** Returns the pattern of a route as it was typed, with the characters that only the pattern escapes as they are. */
function toTyped(pattern: string): string {
  return toPrintable(pattern.replaceAll(/\\(.)/g, '$1'))
}

/** Encodes a path so that it can be opened and read; parameters such as `:id` stay as they are. */
function toUrl(path: string): string {
  // A lone surrogate, which a name in JSON can have, cannot be encoded.
  const wellFormed = path.replaceAll(/\p{Cs}/gu, '\uFFFD')
  return toReadable(encodeURI(wellFormed).replaceAll(/[?#]/g, encodeURIComponent))
}

/** Returns the lines about the keys, as many as the width of the terminal needs. */
export function describeKeys(
  keys: ServerFacts['keys'],
  { bold }: Paint,
  columns: number,
): string[] {
  const lines: string[] = []
  let width = Infinity
  for (const [key, label] of keys) {
    width += key.length + label.length + 3
    if (width > columns) {
      lines.push('')
      width = key.length + label.length + 3
    }
    lines.push(`${lines.pop()}  ${bold(key)} ${label}`)
  }
  return lines
}

function describeContent({ kind, count }: Route): string {
  return kind === 'collection' ? countOf(count, 'record') : kind
}
