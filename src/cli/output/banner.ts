import type { CoreMock } from '../../core/mock/core-mock.ts'
import { countOf } from '../../core/text/count-of.ts'
import { homeOf } from './addresses.ts'
import { toColumn } from './column.ts'
import type { Paint, Terminal } from './terminal.ts'
import { toReadable } from './printable.ts'

/** The banner of `mock server`: the URLs, the routes with their content, and the keys. */
export async function describeServer(
  facts: ServerFacts,
  { paint, columns }: Terminal,
): Promise<string> {
  const { urls, version, token, routes, base, keys } = facts
  const [url = '', ...others] = urls
  const all = routes.filter(({ kind, parent }) => kind !== 'member' && parent === undefined)
  const shown = all.length > MAX_ROUTES ? all.slice(0, EXCERPT) : all
  const hidden = all.length - shown.length
  const paths = await toColumn(shown.map(({ path }) => toUrl(path.slice(base.length))))
  const contents = shown.map(describeContent)
  const contentWidth = Math.max(0, ...contents.map(({ length }) => length))
  // Each line has the whole URL of its route; on a narrow terminal, only the path with the base.
  const prefix = url.length + paths.width + contentWidth + 4 <= columns ? url : base
  const lines = paths.texts.map(
    (path, at) => `  ${prefix}${path}  ${paint.dim(contents[at] ?? '')}`,
  )
  return [
    '',
    `  ${paint.bold('Fixtura')} ${paint.dim(version)}  ${paint.cyan(url)}`,
    ...others.map((other) => `  ${paint.cyan(other)}`),
    ...(token === undefined ? [] : [`  Token for /__mock: ${token}`]),
    ...(token === undefined && base === '' ? [] : [`  Home page  ${homeOf(url, token)}`]),
    '',
    ...(lines.length > 0 ? lines : ['  No resources yet.']),
    ...(hidden > 0 ? [`  and ${hidden.toLocaleString('en')} more`] : []),
    ...(keys.length > 0 ? ['', ...describeKeys(keys, paint, columns)] : []),
    '',
  ].join('\n')
}

/** The content of the banner. */
export interface ServerFacts {
  /** The URLs of the server, the one for this machine first. */
  urls: readonly string[]
  version: string
  /** The token that requests to `/__mock` need; undefined if they need no token. */
  token?: string | undefined
  routes: CoreMock['routes']
  /** The path prefix of all routes (option `base`). */
  base: string
  /** The keys and what they do; empty without a terminal. */
  keys: readonly (readonly [key: string, label: string])[]
}

/** The most routes that the banner lists. Of more routes, it lists the first `EXCERPT` and the number of the others. */
const MAX_ROUTES = 100
const EXCERPT = 20

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

function describeContent({ kind, count, methods }: CoreMock['routes'][number]): string {
  if (kind === 'collection') return countOf(count, 'record')
  return kind === 'singleton' || kind === 'document' ? kind : methods.join(' ')
}
