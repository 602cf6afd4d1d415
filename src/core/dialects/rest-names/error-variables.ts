import { phraseOf } from '../../errors/status.ts'
import { define, isRecord, type Json, ownValue } from '../../json/json.ts'
import { valueAt } from '../../json/path.ts'
import { addToMultimap } from '../../structures/add-to-multimap.ts'
import type { MockError } from '../../errors/mock-error.ts'
import type { RenderContext } from '../contract/dialect.ts'
import { type Fault, faultVariables } from './faults.ts'
import { resourceVariables, toLookup } from './resource-names.ts'
import type { Settings } from './settings.ts'
import { fill, toText } from './template.ts'
import { countOf } from '../../text/count-of.ts'

/**
 * Returns the variables that templates for the bodies of errors can contain, such as `$detail` and `$errors`,
 * each as a function that computes its value.
 */
export function errorVariables(
  { error, status, faults }: RenderedError,
  context: RenderContext,
  { messages = {}, fault: form = '$field $message' }: Settings,
): Record<string, () => unknown> {
  const own = { ...resourceVariables(context), id: () => lastSegment(context.path) }
  const basic = {
    ...own,
    status: () => status,
    title: () => phraseOf(status),
    code: () => error.code,
    reason: () => error.message,
    allowed: () => error.headers.find(([name]) => name === 'Allow')?.[1] ?? null,
    type: () => context.headers['content-type'] ?? null,
  }
  const detail = (): string => {
    const message = ownValue(messages, error.code) ?? ownValue(messages, String(error.status))
    return message === undefined ? error.message : toText(message, toLookup(basic))
  }
  return {
    ...basic,
    detail,
    summary: () => summaryOf(faults) ?? detail(),
    errors: () => mapOf(faults, (texts) => texts.join('; ')),
    errorLists: () => mapOf(faults, (texts) => texts),
    errorTree: () => treeOf(faults),
    faults: () =>
      faults.map(({ path, message }) => {
        const value = (): unknown =>
          (isRecord(context.body) ? valueAt(context.body, path) : undefined) ?? null
        const variables = { ...own, ...faultVariables(path), message: () => message, value }
        return fill(form, toLookup(variables))
      }),
  }
}

/** An error to render, with its status on the wire and the faults of fields. */
export interface RenderedError {
  error: MockError
  status: number
  faults: readonly Fault[]
}

/** The names of the variables of an error. */
export const errorNames: readonly string[] = [
  'status title code reason allowed type detail summary errors errorLists errorTree faults',
  'id resource singular model method path route self',
]
  .join(' ')
  .split(' ')

/** The names of the variables of a fault, in the option `fault`. */
export const faultNames: readonly string[] =
  'field name label message value id resource singular model method path route self'.split(' ')

/** Returns the first message, and how many others there are. */
function summaryOf(faults: readonly Fault[]): string | undefined {
  const [first, ...others] = faults
  if (!first || others.length === 0) return first?.message
  return `${first.message} (and ${countOf(others.length, 'more error')})`
}

/** Returns the messages of each field, by its dotted path. */
function mapOf(faults: readonly Fault[], join: (texts: string[]) => Json): Record<string, unknown> {
  const messages = new Map<string, string[]>()
  for (const { path, message } of faults) addToMultimap(messages, path.join('.'), message)
  return Object.fromEntries(Array.from(messages, ([name, texts]) => [name, join(texts)]))
}

/** Returns the messages of each field, nested as the fields are. */
function treeOf(faults: readonly Fault[]): Record<string, unknown> {
  const tree: Record<string, unknown> = {}
  for (const { path, message } of faults) {
    let level = tree
    for (const step of path.slice(0, -1)) {
      const inner = ownValue(level, step)
      const next: Record<string, unknown> = isRecord(inner) ? inner : {}
      define(level, step, next)
      level = next
    }
    const name = path.at(-1) ?? ''
    const known = ownValue(level, name)
    define(level, name, Array.isArray(known) ? [...(known as unknown[]), message] : [message])
  }
  return tree
}

function lastSegment(path: string): string {
  const segment = path.split('/').findLast((one) => one !== '') ?? ''
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
