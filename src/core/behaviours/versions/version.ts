import type { FieldMap } from './rename-fields.ts'

/**
 * The options of `versions` for one version of the API: the dates of deprecation and removal, the next version,
 * and the fields whose names differ from the fixtures.
 */
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
