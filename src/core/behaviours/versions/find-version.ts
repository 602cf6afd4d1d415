import type { Exchange } from '../../http/contract/exchange.ts'

/** Where a request names its version. */
export type VersionPlace = 'path' | 'header' | 'media'

/** How a version is looked for. */
export interface VersionSearch {
  by: VersionPlace
  header: string
  base: string
  names: readonly string[]
}

/** The version that a request names; `unknown` where there is none of that name. */
export interface FoundVersion {
  name?: string
  unknown?: string
}

/** Finds the version that a request names; a path loses it. */
export function findVersion(exchange: Exchange, search: VersionSearch): FoundVersion {
  return places[search.by](exchange, search)
}

const places: Record<VersionPlace, (exchange: Exchange, search: VersionSearch) => FoundVersion> = {
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

/** A version may be named with or without the `v` in front. */
function toFound(name: string | undefined, names: readonly string[]): FoundVersion {
  if (name === undefined || name === '') return {}
  const known = names.find((one) => one === name || one === `v${name}`)
  return known === undefined ? { unknown: name } : { name: known }
}
