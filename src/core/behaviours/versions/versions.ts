import { ownValue } from '../../json/json.ts'
import {
  checkOptions,
  isHeaderName,
  isMapOf,
  isObject,
  isOneOf,
  isText,
  wrong,
} from '../../errors/check.ts'
import { MockError } from '../../errors/mock-error.ts'
import type { Behaviour } from '../../http/contract/behaviour.ts'
import { type Exchange, onLeave } from '../../http/contract/exchange.ts'
import type { View } from '../../http/contract/record-view.ts'
import type { HeaderList, MockResponse } from '../../http/contract/messages.ts'
import { suggest } from '../../errors/nearest.ts'
import { checkNames } from '../shared/resources.ts'
import { type FieldMap, invert, renameFields } from './rename-fields.ts'
import { describeVersions } from './describe.ts'
import type { Version } from './version.ts'
import { findVersion, type VersionSource } from './find-version.ts'

/**
 * Serves several versions of the API from the same data: a request names its version, which can have other names of
 * fields and headers of deprecation. An unknown version is an error.
 * @throws MockError when an option is wrong
 * @example versions({ versions: { v1: { deprecated: '2026-01-01', successor: 'v2' }, v2: {} } })
 */
export function versions(options: VersionOptions): Behaviour {
  // The options must be an object before their versions can name the values of `default`.
  checkOptions(subject, options)
  checkOptions(
    subject,
    options,
    {
      versions: isMapOf(isObject),
      by: isOneOf('path', 'header', 'media'),
      header: isHeaderName,
      default: isOneOf(...Object.keys(options.versions ?? {})),
    },
    ['versions'],
  )
  const { versions, by = 'path', header = 'X-API-Version' } = options
  for (const [name, version] of Object.entries(versions)) checkVersion(name, version, versions)
  const names = Object.keys(versions)
  if (names.length === 0) throw wrong(subject, '"versions" is empty. Please give a version.')
  const mapped = Object.values(versions).flatMap(({ fields = {} }) => Object.keys(fields))
  const checkStore = checkNames('versions', mapped)
  const renamedFields = Object.values(versions).flatMap(({ fields = {} }) =>
    Object.values(fields).flatMap((renamed) => Object.entries(renamed)),
  )
  const fallback = options.default ?? names.at(-1) ?? ''
  return {
    name: 'versions',
    create(world) {
      const { service, redactor } = world
      checkStore(world)
      for (const [name, alias] of renamedFields) redactor.addAlias(name, alias)
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
            toStored: (record) => renameFields(record, invert(fields)),
          }
        },
        translate(collection, record) {
          const fields = ownValue(versions[fallback]?.fields ?? {}, collection)
          return fields ? renameFields(record, fields) : record
        },
        describe: () => describeVersions({ versions, by, header, fallback }),
        ...(by === 'path' && {
          routes: names.map((name) => ({ methods: ['ANY'], path: `/${name}/*` })),
        }),
      }
    },
  }
}

/** The options of {@link versions}. */
export interface VersionOptions {
  /** The versions by name. */
  versions: Record<string, Version>
  /**
   * Where a request names the version: in the path (`/v1/posts`), in a header, or in the media type
   * (`Accept: application/vnd.name.v1+json`). @default 'path'
   */
  by?: VersionSource
  /** The header with the version, for `by: 'header'`. @default 'X-API-Version' */
  header?: string
  /** The version of requests that name no version. @default the last version */
  default?: string
}

const subject = 'the options of "versions"'

/** Adds the headers of the version, and its path prefix to `Location` and `Link`. */
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
  if (successor) {
    const url = `${origin}${service.base}${next}${below}`
    addLink(headers, `<${url}>; rel="successor-version"`)
  }
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

/** Adds a link to the existing `Link` header, as some clients read the first header line only. */
function addLink(headers: HeaderList, link: string): void {
  const at = headers.findIndex(([name]) => name === 'Link')
  const existing = headers[at]
  if (existing) headers[at] = ['Link', `${existing[1]}, ${link}`]
  else headers.push(['Link', link])
}

function checkVersion(name: string, version: Version, versions: Record<string, Version>): void {
  // A name is a segment of the path and part of `Link`, in which nothing has to be encoded.
  if (!/^(?!\.\.?$)[\w.~-]+$/.test(name)) {
    throw wrong(
      subject,
      `"${name}" cannot name a version. Please use letters, digits, ".", "_", "~" and "-".`,
    )
  }
  const isDate = [
    (value: unknown) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
    'a date',
  ] as const
  checkOptions(`the version "${name}"`, version, {
    deprecated: isDate,
    sunset: isDate,
    successor: isOneOf(...Object.keys(versions)),
    fields: isMapOf(isMapOf(isText)),
  })
}

const statusOf: Record<VersionSource, number> = { path: 404, header: 400, media: 406 }

function unknownVersion(name: string, names: readonly string[], by: VersionSource): MockError {
  return new MockError(`Failed to find the version "${name}". ${suggest(name, names)}`, {
    status: statusOf[by],
    code: 'VERSION_UNKNOWN',
    extensions: { versions: names },
  })
}
