import type { Answer, RenderContext, Result } from '../dialect.ts'
import { asking } from './parts.ts'

type List = Extract<Result, { type: 'list' }>

/** Renders a result: records as they are, with what is to be known of a list in its headers. */
export function render(result: Result, context: RenderContext): Answer {
  switch (result.type) {
    case 'list':
      return renderList(result, context)
    case 'record': {
      const { action, record, location } = result
      if (action !== 'created') return { status: 200, headers: [], value: record }
      return { status: 201, headers: location ? [['Location', location]] : [], value: record }
    }
    case 'records':
      return { status: 201, headers: [], value: result.records }
    case 'document':
      return { status: 200, headers: [], value: result.value }
  }
}

function renderList(list: List, context: RenderContext): Answer {
  const { records, total, asked } = list
  const headers: Answer['headers'] = [['X-Total-Count', String(total)]]
  if (asked.ignored.length > 0) {
    headers.push(['X-Mock-Ignored', asked.ignored.map(encodeURIComponent).join(', ')])
  }
  if (!asked.paging) return { status: 200, headers, value: records }
  return asking.get().renderPage(list, context, headers)
}
