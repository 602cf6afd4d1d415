import type { Answer, RenderContext, Result } from '../contract/dialect.ts'
import { encode, renderPage } from './render-page.ts'

/**
 * Renders the result of an action in the `rest` dialect. The body contains plain records, or an
 * envelope for `_page` with `_per_page`; headers contain the total of a list, ignored parameters and
 * the links of a page.
 */
export function render(result: Result, context: RenderContext): Answer {
  if (result.type === 'list') return renderList(result, context)
  const headers = ignoredHeader(context)
  if (result.type === 'document') return { status: 200, headers, value: result.value }
  const status = result.action === 'created' ? 201 : 200
  if (result.type === 'records') return { status, headers, value: result.records }
  if (result.location) headers.push(['Location', result.location])
  return { status, headers, value: result.record }
}

function renderList(list: Extract<Result, { type: 'list' }>, context: RenderContext): Answer {
  const { asked, records, total } = list
  const headers: Answer['headers'] = [['X-Total-Count', String(total)], ...ignoredHeader(context)]
  return asked.paging
    ? renderPage(list, context, headers)
    : { status: 200, headers, value: records }
}

/** Creates the header that names the parameters without effect, if there are any. */
export function ignoredHeader({ ignored }: RenderContext): Answer['headers'] {
  return ignored ? [['X-Mock-Ignored', ignored.map(encodeName).join(', ')]] : []
}

/** Encodes a parameter's name for a header that is a comma-separated list. */
function encodeName(name: string): string {
  return encode(name).replaceAll(',', '%2C')
}
