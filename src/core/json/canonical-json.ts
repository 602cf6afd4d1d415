import { isRecord } from './json.ts'

/** Writes a value as JSON with sorted members, so that equal values have equal texts; recordings contain their digests. */
export function toCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join()}]`
  if (!isRecord(value)) return JSON.stringify(value)
  const members = Object.keys(value)
    .sort()
    .map((key) => `[${JSON.stringify(key)},${toCanonicalJson(value[key])}]`)
  return `{"entries":[${members.join()}]}`
}
