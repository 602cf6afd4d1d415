import { isRecord } from './json.ts'

/**
 * Writes a value as JSON in which every object is a list of its members, sorted by key, so that equal values have
 * equal texts. Recordings contain digests of these texts.
 */
export function toCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join()}]`
  if (!isRecord(value)) return JSON.stringify(value)
  const members = Object.keys(value)
    .sort()
    .map((key) => `[${JSON.stringify(key)},${toCanonicalJson(value[key])}]`)
  return `{"entries":[${members.join()}]}`
}
