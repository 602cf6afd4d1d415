import type {
  Description,
  OperationDescription,
  OperationFacts,
} from '../../http/contract/description.ts'
import type { Header } from '../../types/openapi.ts'
import type { VersionSource } from './find-version.ts'
import type { Version } from './version.ts'

/**
 * Describes what `versions` adds to the OpenAPI document: the paths or the header that name a version, renamed
 * fields, and headers of deprecation.
 */
export function describeVersions(settings: VersionSettings): Description {
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

/** The options of `versions` with their defaults. */
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
