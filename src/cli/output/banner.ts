import type { CoreMock } from '../../core/mock/core-mock.ts'
import { homeOf } from './addresses.ts'
import type { Paint } from './paint.ts'
import type { Terminal } from './terminal.ts'

/** What a server that answers has to say for itself. */
export interface ServerFacts {
  /** Where it can be reached, the address for this machine first. */
  urls: readonly string[]
  version: string
  /** What callers of `/__mock` have to show, where they have to. */
  token?: string | undefined
  routes: CoreMock['routes']
  /** The base of the mock, which the paths of the routes begin with. */
  base: string
  /** What each key does; empty where nobody can press one. */
  keys: readonly (readonly [key: string, label: string])[]
}

/** The banner: URL, every route with what it holds, and the keys. */
export function describeServer(facts: ServerFacts, { paint, columns }: Terminal): string {
  const { urls, version, token, routes, base, keys } = facts
  const [url = '', ...others] = urls
  const rows = routes
    .filter(({ kind }) => kind !== 'member')
    .map((route) => [toUrl(route.path.slice(base.length)), describeContent(route)] as const)
  const wide = rows.map(([path, content]) => [url + path, content] as const)
  const fits = widthOf(wide) <= columns
  const table = fits ? wide : rows.map(([path, content]) => [base + path, content] as const)
  const width = Math.max(0, ...table.map(([path]) => path.length))
  const lines = table.map(([path, content]) => `  ${path.padEnd(width)}  ${paint.dim(content)}`)
  return [
    '',
    `  ${paint.bold('Fixtura')} ${paint.dim(version)}  ${paint.cyan(url)}`,
    ...others.map((other) => `  ${paint.cyan(other)}`),
    ...(token === undefined ? [] : [`  Token of /__mock: ${token}`]),
    ...(token === undefined && base === '' ? [] : [`  Home page  ${homeOf(url, token)}`]),
    '',
    ...(lines.length > 0 ? lines : ['  There is no resource yet.']),
    ...(keys.length > 0 ? ['', ...describeKeys(keys, paint, columns)] : []),
    '',
  ].join('\n')
}

/** A path as it can be opened; what stands for parts of it in the path of a route stays. */
function toUrl(path: string): string {
  return encodeURI(path).replaceAll(/[?#]/g, encodeURIComponent)
}

/** The keys in as many lines as the terminal makes of them. */
function describeKeys(keys: ServerFacts['keys'], { bold }: Paint, columns: number): string[] {
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

function describeContent({ kind, count, methods }: CoreMock['routes'][number]): string {
  if (kind === 'collection') return count === 1 ? '1 record' : `${count} records`
  return kind === 'singleton' || kind === 'document' ? kind : methods.join(' ')
}

function widthOf(rows: readonly (readonly [path: string, content: string])[]): number {
  const longest = (at: 0 | 1): number => Math.max(0, ...rows.map((row) => row[at].length))
  return longest(0) + longest(1) + 4
}
