import { define, type JsonRecord, ownValue } from '../json/json.ts'
import {
  checkOptions,
  isHeaderName,
  isMapOf,
  isObject,
  isOneOf,
  isText,
  wrong,
} from '../errors/check.ts'
import { MockError } from '../errors/mock-error.ts'
import type { Behaviour } from '../http/contract/behaviour.ts'
import { type Exchange, onLeave } from '../http/contract/exchange.ts'
import type { View } from '../http/contract/record-view.ts'
import type { HeaderList, MockResponse } from '../http/contract/messages.ts'
import { suggest } from '../errors/nearest.ts'
import type {
  Description,
  OperationDescription,
  OperationFacts,
} from '../http/contract/description.ts'
import type { Header } from '../types/openapi.ts'
import { checkNames } from './shared/resources.ts'

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
      const { redactor } = world
      checkStore(world)
      for (const [name, alias] of renamedFields) redactor.addAlias(name, alias)
      const fieldsOf = (collection: string, { version = '' }: Exchange): FieldMap | undefined =>
        ownValue(versions[version]?.fields ?? {}, collection)
      return {
        at: {
          entry(exchange) {
            const requested = findVersion(exchange, by, header, names)
            const name = requested ?? fallback
            const version = versions[name] ?? {}
            exchange.version = name
            const prefix = by === 'path' && requested ? `/${requested}` : ''
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
  const linkIndex = headers.findIndex(([name]) => name === 'Link')
  const existing = headers[linkIndex]
  if (existing) headers[linkIndex] = ['Link', `${existing[1]}, ${link}`]
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

/** One version: the dates of deprecation and removal, the next version, and the fields with other names. */
export interface Version {
  /** The date of deprecation, in a format that `Date.parse` reads. Sent as `Deprecation` (RFC 9745). */
  deprecated?: string
  /** The date of removal, in a format that `Date.parse` reads. Sent as `Sunset` (RFC 8594). */
  sunset?: string
  /** The next version. Sent as `Link: rel="successor-version"` (RFC 5829). */
  successor?: string
  /** The names of renamed fields, by resource: `{ posts: { title: 'headline' } }`. */
  fields?: Record<string, FieldMap>
}

/** Removes a version in the path from `exchange.path`. @throws MockError for an unknown version */
function findVersion(
  exchange: Exchange,
  by: VersionSource,
  header: string,
  names: readonly string[],
): string | undefined {
  const { base } = exchange.service
  const given = readVersion[by](exchange, header)
  if (given === undefined || given === '') return undefined
  const name = names.find((one) => one === given || (by !== 'path' && one === `v${given}`))
  // The first segment of a path is no version if it does not look like one.
  if (name === undefined && by === 'path' && !/^v\d+$/.test(given)) return undefined
  if (name === undefined) throw unknownVersion(given, names, by)
  if (by === 'path') exchange.path = base + exchange.path.slice(base.length + 1 + name.length)
  return name
}

/** `/v1/posts`, a header, or the media type `application/vnd.name.v1+json` in `Accept`. */
type VersionSource = 'path' | 'header' | 'media'

const readVersion: Record<
  VersionSource,
  (exchange: Exchange, header: string) => string | undefined
> = {
  path: ({ path, service }) => path.slice(service.base.length + 1).split('/', 1)[0],
  header: ({ headers }, header) => headers[header.toLowerCase()],
  media: ({ headers }) =>
    /application\/vnd\.[\w.-]+?\.(v?\d[\w-]*)\+json/.exec(headers['accept'] ?? '')?.[1],
}

/** Keeps the order of the fields; a field that already has one of the new names is removed. */
function renameFields(record: JsonRecord, fields: FieldMap): JsonRecord {
  const renamed: JsonRecord = {}
  const newNames = new Set(Object.keys(record).flatMap((key) => ownValue(fields, key) ?? []))
  for (const key of Object.keys(record)) {
    if (newNames.has(key) && !Object.hasOwn(fields, key)) continue
    define(renamed, ownValue(fields, key) ?? key, record[key])
  }
  return renamed
}

function invert(fields: FieldMap): FieldMap {
  return Object.fromEntries(Object.entries(fields).map(([name, other]) => [other, name]))
}

/** The new names of fields, by their name in the fixtures: `{ title: 'headline' }`. */
type FieldMap = Record<string, string>

function describeVersions(settings: VersionSettings): Description {
  const { versions, by, fallback } = settings
  const names = Object.keys(versions)
  return {
    versions: names.map((name) => ({
      name,
      isDefault: name === fallback,
      fields: versions[name]?.fields ?? {},
      ...(by === 'path' && { prefix: `/${name}` }),
    })),
    notes: [noteOf(settings, names)],
    operation: (operation) => describeOperation(settings, names, operation),
  }
}

interface VersionSettings {
  versions: Readonly<Record<string, Version>>
  by: VersionSource
  header: string
  /** The version of requests that name no version. */
  fallback: string
}

const text = { type: 'string' }

function noteOf({ by, header, fallback }: VersionSettings, names: readonly string[]): string {
  const list = names.map((name) => `\`${name}\``).join(', ')
  const place = {
    path: 'at the start of the path',
    header: `in the header \`${header}\``,
    media: `in the header \`Accept\`, as in \`application/vnd.api.${fallback}+json\``,
  }
  return `The API has the versions ${list}. A request names one ${place[by]}; else it gets \`${fallback}\`.`
}

function describeOperation(
  { versions, by, header, fallback }: VersionSettings,
  names: readonly string[],
  { version }: OperationFacts,
): OperationDescription {
  const found = by === 'path' ? [version ?? fallback] : names
  const all = found.flatMap((name) => versions[name] ?? [])
  const headers: Record<string, Header> = {}
  if (all.some(({ deprecated }) => deprecated)) {
    headers['Deprecation'] = {
      description: 'When the version was deprecated (RFC 9745).',
      schema: text,
    }
  }
  if (all.some(({ sunset }) => sunset)) {
    headers['Sunset'] = { description: 'When the version ends (RFC 8594).', schema: text }
  }
  if (all.some(({ successor }) => successor)) {
    headers['Link'] = { description: 'The URLs of pages, and of the next version.', schema: text }
  }
  const description = 'The version of the API.'
  return {
    headers,
    isDeprecated: by === 'path' && all.some(({ deprecated }) => deprecated !== undefined),
    ...(by === 'header' && {
      parameters: [
        { name: header, in: 'header', description, schema: { type: 'string', enum: names } },
      ],
      errors: { 400: 'There is no such version.' },
    }),
    ...(by === 'media' && { errors: { 406: 'There is no such version.' } }),
  }
}
