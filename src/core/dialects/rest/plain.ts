import type { Answer, Result } from '../dialect.ts'

/** Renders a record that was there, or a list that is whole; undefined for any other result. */
export function renderPlain(result: Result): Answer | undefined {
  if (result.type === 'record' && result.action !== 'created') return ok(result.record)
  if (result.type === 'document') return ok(result.value)
  if (result.type !== 'list') return undefined
  const { records, total, asked } = result
  const isWhole = !asked.paging && asked.ignored.length === 0
  return isWhole ? ok(records, [['X-Total-Count', String(total)]]) : undefined
}

function ok(value: unknown, headers: Answer['headers'] = []): Answer {
  return { status: 200, headers, value }
}
