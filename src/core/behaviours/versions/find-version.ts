import type { Exchange } from '../../http/contract/exchange.ts'

/**
 * Finds the API version that a request names, for `versions`. A version in the path is removed from
 * `exchange.path`, so that the rest of the path finds its resource.
 */
export function findVersion(exchange: Exchange, search: VersionSearch): FoundVersion {
  return finders[search.by](exchange, search)
}

/**
 * The part of a request that names the API version: the path (`/v1/posts`), a header, or the media type in
 * `Accept` (`application/vnd.name.v1+json`).
 */
export type VersionSource = 'path' | 'header' | 'media'

/** How to find the version of a request. */
export interface VersionSearch {
  by: VersionSource
  header: string
  base: string
  names: readonly string[]
}

/** The version that a request names, if it names a version; `unknown` is a name that no version has. */
export interface FoundVersion {
  name?: string
  unknown?: string
}

const finders: Record<VersionSource, (exchange: Exchange, search: VersionSearch) => FoundVersion> =
  {
    path(exchange, { base, names }) {
      const name = exchange.path.slice(base.length + 1).split('/', 1)[0] ?? ''
      if (!names.includes(name)) return /^v\d+$/.test(name) ? { unknown: name } : {}
      exchange.path = base + exchange.path.slice(base.length + 1 + name.length)
      return { name }
    },
    header: ({ headers }, { header, names }) => toFound(headers[header.toLowerCase()], names),
    media({ headers }, { names }) {
      const match = /application\/vnd\.[\w.-]+?\.(v?\d[\w-]*)\+json/.exec(headers['accept'] ?? '')
      return toFound(match?.[1], names)
    },
  }

/** Looks up a version name, with or without its leading `v`. */
function toFound(name: string | undefined, names: readonly string[]): FoundVersion {
  if (name === undefined || name === '') return {}
  const found = names.find((version) => version === name || version === `v${name}`)
  return found === undefined ? { unknown: name } : { name: found }
}
