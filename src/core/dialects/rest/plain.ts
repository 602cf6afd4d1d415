import type { Answer, Result } from '../contract/dialect.ts'

/** Renders what was read as it is: a record, a document, or all of a list. */
export function renderPlain(result: Exclude<Result, { type: 'records' }>): Answer {
  if (result.type === 'record') return { status: 200, headers: [], value: result.record }
  if (result.type === 'document') return { status: 200, headers: [], value: result.value }
  const headers: Answer['headers'] = [['X-Total-Count', String(result.total)]]
  return { status: 200, headers, value: result.records }
}
