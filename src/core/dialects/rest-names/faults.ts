import type { Issue, MockError } from '../../errors/mock-error.ts'
import type { Settings } from './settings.ts'
import { toText } from './template.ts'

/**
 * Lists the faults of fields in the body of a request that an error has, with the keys and messages that the
 * options give them. Faults of parameters do not count, because their names are no fields.
 */
export function faultsOf(
  { issues = [] }: MockError,
  settings: Settings,
  toWire: (key: string) => string,
): Fault[] {
  return issues.map((issue) => {
    const path = issue.path.map((step) => toWire(String(step)))
    return { path, message: messageOf(path, issue, settings) }
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

/**
 * Returns the text of a fault: that of the first row in `reasons` with its keyword (`minLength`), its keyword and
 * limit (`type:string`), or a pattern of its message (`has to *`).
 */
function messageOf(path: readonly string[], issue: Issue, { reasons = {} }: Settings): string {
  const { keyword, message } = issue
  const limit = String(issue.limit ?? '')
  for (const [reason, template] of Object.entries(reasons)) {
    const isKeyword = reason === keyword || reason === `${keyword}:${limit}`
    const wild = isKeyword ? '' : wildOf(message, reason)
    if (wild === undefined) continue
    const variables: Record<string, () => unknown> = {
      ...faultVariables(path),
      reason: () => message,
      limit: () => limit,
      wild: () => wild,
    }
    return toText(template, (name) => variables[name]?.())
  }
  return message
}

/** Returns the text that the `*` of a pattern stands for; undefined if the pattern does not match. */
function wildOf(text: string, pattern: string): string | undefined {
  const [start = '', end] = pattern.split('*', 2)
  if (end === undefined) return text === start ? '' : undefined
  const isLong = text.length >= start.length + end.length
  if (!isLong || !text.startsWith(start) || !text.endsWith(end)) return undefined
  return text.slice(start.length, text.length - end.length)
}
