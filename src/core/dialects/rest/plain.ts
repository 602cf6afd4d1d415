import type { Answer, Result } from '../dialect.ts'

/** Renders what was read as it is: a record, a document, or all of a list. */
export function renderPlain(result: Exclude<Result, { type: 'records' }>): Answer {
  if (result.type !== 'list') {
    return ok(result.type === 'record' ? result.record : result.value)
  }
  return ok(result.records, [['X-Total-Count', String(result.total)]])
}

function ok(value: unknown, headers: Answer['headers'] = []): Answer {
  return { status: 200, headers, value }
}
