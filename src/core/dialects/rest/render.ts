import type { Answer, RenderContext, Result } from '../contract/dialect.ts'
import { encode, renderPage } from './page.ts'
import { renderPlain } from './plain.ts'

/** Renders a result: records as they are, with what is to be known of a list in its headers. */
export function render(result: Result, context: RenderContext): Answer {
  if (result.type === 'list') return renderList(result, context)
  if (result.type === 'records') return { status: 201, headers: [], value: result.records }
  if (result.type === 'document' || result.action !== 'created') return renderPlain(result)
  const { record, location } = result
  return { status: 201, headers: location ? [['Location', location]] : [], value: record }
}

function renderList(list: Extract<Result, { type: 'list' }>, context: RenderContext): Answer {
  const { asked } = list
  const answer = renderPlain(list)
  const { headers } = answer
  if (asked.ignored.length > 0) {
    headers.push(['X-Mock-Ignored', asked.ignored.map(encodeName).join(', ')])
  }
  return asked.paging ? renderPage(list, context, headers) : answer
}

/** A name as a header can hold it, in which a comma is none of its own. */
function encodeName(name: string): string {
  return encode(name).replaceAll(',', '%2C')
}
