import type { BoundOperation, OpenApiSource } from '../../core/dialects/contract/openapi-source.ts'
import { countOf } from '../../core/text/count-of.ts'
import type { ResolvedConfig } from '../../load/config/resolve-config.ts'
import { loadDocument } from '../../load/load-mock.ts'
import { usageError } from '../arguments/usage-errors.ts'
import { toPrintable } from './printable.ts'
import type { Terminal } from './terminal.ts'

/** Prints what each operation of the document was taken for, and the places that cannot be served. @throws MockError without a document */
export async function listOperations(config: ResolvedConfig, terminal: Terminal): Promise<number> {
  const { print, paint } = terminal
  const source = await loadDocument(config)
  if (!source) {
    throw usageError(
      'Failed to list operations: there is no OpenAPI document. Please name one, as in mock server openapi.yaml --list.',
    )
  }
  const rows = source.operations.map(({ method, path, ...bound }) => [
    method,
    toPrintable(path),
    describeAction(bound),
  ])
  const widths = [0, 1].map((at) => Math.max(0, ...rows.map((row) => row[at]?.length ?? 0)))
  for (const [method = '', path = '', action = ''] of rows) {
    const text = `${method.padEnd(widths[0] ?? 0)}  ${path.padEnd(widths[1] ?? 0)}  ${action}`
    print(action.startsWith('example') || action.startsWith('none') ? paint.dim(text) : text)
  }
  print(`\n${summarize(source)}`)
  for (const line of describeProblems(source)) print(paint.yellow(line))
  return 0
}

function describeAction({
  action,
  collection,
  envelope,
  isCorrected,
}: Omit<BoundOperation, 'method' | 'path'>): string {
  const name = collection === undefined ? action : `${toPrintable(collection)}.${action}`
  const notes = [
    envelope === undefined ? [] : `in ${toPrintable(envelope)}`,
    isCorrected ? 'corrected' : [],
  ].flat()
  return notes.length > 0 ? `${name} (${notes.join(', ')})` : name
}

/** Counts the operations by what they were taken for. */
export function summarize({ operations }: OpenApiSource): string {
  const examples = operations.filter(({ action }) => action === 'example').length
  const none = operations.filter(({ action }) => action === 'none').length
  const stateful = operations.length - examples - none
  return `${countOf(operations.length, 'operation')}: ${stateful} with state, ${examples} by example, ${none} not served.`
}

/** One line for each part of the document that cannot be served. */
export function describeProblems({ problems }: OpenApiSource): string[] {
  return problems.map(
    ({ place, reason }) => `Not served: "${toPrintable(place)}": ${toPrintable(reason)}.`,
  )
}
