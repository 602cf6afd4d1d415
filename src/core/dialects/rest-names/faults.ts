import { isRecord } from '../../json/json.ts'
import type { MockError } from '../../errors/mock-error.ts'
import type { Settings } from './settings.ts'
import { toText } from './template.ts'

/**
 * Lists the faults of fields in the body of a request that an error has, with the keys and messages that the
 * options give them. Faults of parameters do not count, because their names are no fields.
 */
export function faultsOf(
  { extensions }: MockError,
  settings: Settings,
  toWire: (key: string) => string,
): Fault[] {
  const { issues } = extensions
  if (!Array.isArray(issues)) return []
  return issues.flatMap((issue: unknown): Fault[] => {
    if (!isRecord(issue)) return []
    const { pointer, detail } = issue
    if (typeof pointer !== 'string' || typeof detail !== 'string') return []
    const path = pathOf(pointer).map(toWire)
    return [{ path, message: messageOf(path, detail, settings) }]
  })
}

/** Returns the variables of a fault. */
export function faultVariables(path: readonly string[]): Record<string, () => unknown> {
  return {
    field: () => path.join('.'),
    name: () => path.at(-1) ?? '',
    label: () => path.join('.').replaceAll('_', ' '),
  }
}

/** A fault of a field: the keys that lead to the field as the wire spells them, and a message. */
export interface Fault {
  path: readonly string[]
  message: string
}

/** Returns the text of a fault: that of the first pattern in `reasons` that matches the reason of the mock. */
function messageOf(path: readonly string[], reason: string, { reasons = {} }: Settings): string {
  for (const [pattern, template] of Object.entries(reasons)) {
    const wild = wildOf(reason, pattern)
    if (wild === undefined) continue
    const variables: Record<string, () => unknown> = {
      ...faultVariables(path),
      reason: () => reason,
      wild: () => wild,
    }
    return toText(template, (name) => variables[name]?.())
  }
  return reason
}

/** Returns the text that the `*` of a pattern stands for; undefined if the pattern does not match. */
function wildOf(text: string, pattern: string): string | undefined {
  const [start = '', end] = pattern.split('*', 2)
  if (end === undefined) return text === start ? '' : undefined
  const isLong = text.length >= start.length + end.length
  if (!isLong || !text.startsWith(start) || !text.endsWith(end)) return undefined
  return text.slice(start.length, text.length - end.length)
}

/** Returns the keys of a JSON Pointer that is written as a URI fragment (RFC 6901 §6): `#/author/name`. */
function pathOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'))
}
