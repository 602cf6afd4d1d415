import { ownValue } from './json.ts'

/** The name of a record for a person: the text of its first field that looks like a name; empty for none. */
export function labelOf(record: Readonly<Record<string, unknown>> | null | undefined): string {
  if (!record) return ''
  const names = ['name', 'title', 'label', 'fullName', 'email', 'username', 'slug', 'code']
  const named = names.map((name) => ownValue(record, name)).find(isShort)
  return named ?? Object.values(record).find(isShort) ?? ''
}

function isShort(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 80 && !/^https?:/.test(value)
}
