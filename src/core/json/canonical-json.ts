import { isRecord } from './json.ts'

/** Writes JSON with the keys of objects in order, so that equal values have equal texts. */
export function toCanonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join()}]`
  if (!isRecord(value)) return JSON.stringify(value)
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${toCanonicalJson(value[key])}`)
  return `{${members.join()}}`
}
