import { isRecord, type Json } from '../../json/json.ts'
import { valueAt } from '../../json/path.ts'

/**
 * Finds the preset of `rest` that imitates the framework behind an API, by the envelope of a list; undefined
 * for an unknown envelope.
 */
export function findPreset(json: Json): PresetRow | undefined {
  if (!isRecord(json)) return undefined
  return presets.find(({ paths }) =>
    paths.every((path) => valueAt(json, path.split('.')) !== undefined),
  )
}

/** A preset of `rest`, and the members of a list's envelope by which it is recognized. */
interface PresetRow {
  preset: string
  /** The paths of members that every such envelope has. */
  paths: readonly string[]
  words: string
  /** The number of records of a page of the preset. */
  size?: number
}

/** The presets whose envelopes are recognized. */
const presets: readonly PresetRow[] = [
  {
    preset: 'laravel',
    paths: ['data', 'links.first', 'meta.current_page', 'meta.last_page', 'meta.per_page'],
    words: 'paginator of Laravel',
    size: 15,
  },
  {
    preset: 'django-rest-framework',
    paths: ['count', 'next', 'previous', 'results'],
    words: 'pagination of Django REST framework',
    size: 100,
  },
  {
    preset: 'spring-data-rest',
    paths: ['_embedded', '_links.self', 'page.totalElements', 'page.number'],
    words: 'HAL of Spring Data REST',
    size: 20,
  },
  {
    preset: 'nestjsx-crud',
    paths: ['data', 'count', 'total', 'page', 'pageCount'],
    words: 'page of @nestjsx/crud',
  },
]
