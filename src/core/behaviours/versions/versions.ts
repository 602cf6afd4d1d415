import { ownValue } from '../../json/json.ts'
import { checkOptions, isMapOf, isObject, isOneOf, isText, wrong } from '../../errors/check.ts'
import { MockError } from '../../errors/mock-error.ts'
import type { Behaviour } from '../../http/contract/behaviour.ts'
import { type Exchange, onLeave, type View } from '../../http/contract/exchange.ts'
import type { HeaderList, MockResponse } from '../../http/contract/messages.ts'
import { suggest } from '../../errors/nearest.ts'
import { checkNames } from '../shared/resources.ts'
import { type FieldMap, renameFields, turnAround } from './rename-fields.ts'
import { findVersion, type VersionPlace } from './find-version.ts'

/** One version of an API. */
export interface Version {
  /** Since when it should not be used: a date that `Date` reads. Answered as `Deprecation` (RFC 9745). */
  deprecated?: string
  /** When it goes: a date that `Date` reads. Answered as `Sunset` (RFC 8594). */
  sunset?: string
  /** The version that takes its place. Answered as `Link: rel="successor-version"` (RFC 5829). */
  successor?: string
  /** What fields of the fixtures are called in it: `{ posts: { title: 'headline' } }`. */
  fields?: Record<string, FieldMap>
}

/** Which versions there are, and how a request names one. */
export interface VersionOptions {
  /** Every version, by the name that requests give. */
  versions: Record<string, Version>
  /** `/v1/posts`, a header, or `Accept: application/vnd.name.v1+json`. @default 'path' */
  by?: VersionPlace
  /** The header that names a version, with `by: 'header'`. @default 'X-API-Version' */
  header?: string
  /** What a request gets that names none. @default the last one */
  default?: string
}

/**
 * Lets several versions of the API answer from the same data; an unknown one is an error.
 * @throws MockError when an option is wrong
 * @example versions({ versions: { v1: { deprecated: '2026-01-01', successor: 'v2' }, v2: {} } })
 */
export function versions(options: VersionOptions): Behaviour {
  checkOptions(
    'the options of "versions"',
    options,
    {
      versions: isMapOf(isObject),
      by: isOneOf('path', 'header', 'media'),
      header: isText,
      default: isOneOf(...Object.keys(options.versions ?? {})),
    },
    ['versions'],
  )
  const { versions, by = 'path', header = 'X-API-Version' } = options
  for (const [name, version] of Object.entries(versions)) checkVersion(name, version, versions)
  const names = Object.keys(versions)
  if (names.length === 0) {
    throw wrong('the options of "versions"', 'there is no version. Please give one.')
  }
  const mapped = Object.values(versions).flatMap(({ fields = {} }) => Object.keys(fields))
  const checkStore = checkNames('versions', mapped)
  const fallback = options.default ?? names.at(-1) ?? ''
  return {
    name: 'versions',
    create({ service }) {
      checkStore(service.store)
      const fieldsOf = (collection: string, { version = '' }: Exchange): FieldMap | undefined =>
        ownValue(versions[version]?.fields ?? {}, collection)
      return {
        at: {
          entry(exchange) {
            const found = findVersion(exchange, { by, header, base: service.base, names })
            if (found.unknown !== undefined) throw unknownVersion(found.unknown, names, by)
            const name = found.name ?? fallback
            const version = versions[name] ?? {}
            exchange.version = name
            const prefix = by === 'path' && found.name ? `/${found.name}` : ''
            const { successor } = version
            const next = by === 'path' && successor ? `/${successor}` : ''
            onLeave(exchange, (response) => {
              const versioned = withVersion(response, version, { prefix, next }, exchange)
              if (by === 'header') versioned.headers.push(['Vary', header])
              return versioned
            })
          },
        },
        view(collection, exchange): View | undefined {
          const fields = fieldsOf(collection, exchange)
          if (!fields) return undefined
          return {
            present: (record) => renameFields(record, fields),
            fieldName: (field) => ownValue(fields, field) ?? field,
            toStored: (record) => renameFields(record, turnAround(fields)),
          }
        },
        translate(collection, record) {
          const fields = ownValue(versions[fallback]?.fields ?? {}, collection)
          return fields ? renameFields(record, fields) : record
        },
        ...(by === 'path' && {
          routes: names.map((name) => ({ methods: ['ANY'], path: `/${name}/*` })),
        }),
      }
    },
  }
}

/** Adds what is to be known of the version, and leads on to the same one. */
function withVersion(
  response: MockResponse,
  { deprecated, sunset, successor }: Version,
  { prefix, next }: { prefix: string; next: string },
  { path, service, origin }: Exchange,
): MockResponse {
  const below = path.slice(service.base.length)
  const headers: HeaderList = response.headers.map(([name, value]) => [
    name,
    prefix === '' ? value : inVersion(name, value, service.base, prefix, origin),
  ])
  if (deprecated) headers.push(['Deprecation', `@${Math.floor(Date.parse(deprecated) / 1000)}`])
  if (sunset) headers.push(['Sunset', new Date(sunset).toUTCString()])
  if (successor) addLink(headers, `<${service.base}${next}${below}>; rel="successor-version"`)
  return { ...response, headers }
}

function inVersion(
  name: string,
  value: string,
  base: string,
  prefix: string,
  origin: string,
): string {
  if (name === 'Location') {
    const start = [base, origin + base].find((one) => value.startsWith(`${one}/`))
    return start === undefined ? value : start + prefix + value.slice(start.length)
  }
  if (name !== 'Link') return value
  return value
    .replaceAll(`<${base}/`, `<${base}${prefix}/`)
    .replaceAll(`<${origin}${base}/`, `<${origin}${base}${prefix}/`)
}

/** Adds to the one `Link` header, as some clients read only the first line. */
function addLink(headers: HeaderList, link: string): void {
  const at = headers.findIndex(([name]) => name === 'Link')
  const held = headers[at]
  if (held) headers[at] = ['Link', `${held[1]}, ${link}`]
  else headers.push(['Link', link])
}

function checkVersion(name: string, version: Version, versions: Record<string, Version>): void {
  const isDate = [(value: unknown) => !Number.isNaN(Date.parse(String(value))), 'a date'] as const
  checkOptions(`the version "${name}"`, version, {
    deprecated: isDate,
    sunset: isDate,
    successor: isOneOf(...Object.keys(versions)),
    fields: isMapOf(isMapOf(isText)),
  })
}

const statusOf: Record<VersionPlace, number> = { path: 404, header: 400, media: 406 }

function unknownVersion(name: string, known: readonly string[], by: VersionPlace): MockError {
  return new MockError(`Failed to find the version "${name}". ${suggest(name, known)}`, {
    status: statusOf[by],
    code: 'VERSION_UNKNOWN',
    extensions: { versions: known },
  })
}
