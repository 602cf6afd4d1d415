import type { Answer, RenderContext, Result } from '../contract/dialect.ts'
import { encode, renderPage } from './render-page.ts'

/**
 * Renders the result of an action in the `rest` dialect. The body contains plain records, or an
 * envelope for `_page` with `_per_page`; headers contain the total of a list, ignored parameters and
 * the links of a page.
 */
export function render(result: Result, context: RenderContext): Answer {
  switch (result.type) {
    case 'list':
      return renderList(result, context)
    case 'records':
      return { status: 201, headers: [], value: result.records }
    case 'document':
      return { status: 200, headers: [], value: result.value }
    case 'record':
      return renderRecord(result)
  }
}

function renderRecord({ action, record, location }: Extract<Result, { type: 'record' }>): Answer {
  if (action !== 'created') return { status: 200, headers: [], value: record }
  return { status: 201, headers: location ? [['Location', location]] : [], value: record }
}

function renderList(list: Extract<Result, { type: 'list' }>, context: RenderContext): Answer {
  const { asked, records, total } = list
  const headers: Answer['headers'] = [['X-Total-Count', String(total)]]
  if (asked.ignored.length > 0) {
    headers.push(['X-Mock-Ignored', asked.ignored.map(encodeName).join(', ')])
  }
  return asked.paging
    ? renderPage(list, context, headers)
    : { status: 200, headers, value: records }
}

/** A parameter's name for a header that is a comma-separated list. */
function encodeName(name: string): string {
  return encode(name).replaceAll(',', '%2C')
}
