import type { Answer, RenderContext, Result } from '../dialect.ts'
import { renderPage } from './page.ts'
import { renderPlain } from './plain.ts'

/** Renders a result: records as they are, with what is to be known of a list in its headers. */
export function render(result: Result, context: RenderContext): Answer {
  return renderPlain(result) ?? renderMore(result, context)
}

function renderMore(result: Result, context: RenderContext): Answer {
  if (result.type === 'list') return renderList(result, context)
  if (result.type === 'records') return { status: 201, headers: [], value: result.records }
  const { record, location } = result as Extract<Result, { type: 'record' }>
  return { status: 201, headers: location ? [['Location', location]] : [], value: record }
}

function renderList(list: Extract<Result, { type: 'list' }>, context: RenderContext): Answer {
  const { records, total, asked } = list
  const headers: Answer['headers'] = [['X-Total-Count', String(total)]]
  if (asked.ignored.length > 0) {
    headers.push(['X-Mock-Ignored', asked.ignored.map(encodeURIComponent).join(', ')])
  }
  return asked.paging
    ? renderPage(list, context, headers)
    : { status: 200, headers, value: records }
}
