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
      return { status: 201, headers: ignoredHeader(context), value: result.records }
    case 'document':
      return { status: 200, headers: ignoredHeader(context), value: result.value }
    case 'record':
      return renderRecord(result, context)
  }
}

function renderRecord(
  { action, record, location }: Extract<Result, { type: 'record' }>,
  context: RenderContext,
): Answer {
  const headers = ignoredHeader(context)
  if (action !== 'created') return { status: 200, headers, value: record }
  if (location) headers.push(['Location', location])
  return { status: 201, headers, value: record }
}

function renderList(list: Extract<Result, { type: 'list' }>, context: RenderContext): Answer {
  const { asked, records, total } = list
  const headers: Answer['headers'] = [['X-Total-Count', String(total)], ...ignoredHeader(context)]
  return asked.paging
    ? renderPage(list, context, headers)
    : { status: 200, headers, value: records }
}

/** The header that names the parameters without effect, if there are any. */
function ignoredHeader({ ignored }: RenderContext): Answer['headers'] {
  return ignored ? [['X-Mock-Ignored', ignored.map(encodeName).join(', ')]] : []
}

/** A parameter's name for a header that is a comma-separated list. */
function encodeName(name: string): string {
  return encode(name).replaceAll(',', '%2C')
}
