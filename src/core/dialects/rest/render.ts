import type { MockError } from '../../errors/mock-error.ts'
import { problemType, toProblem } from '../../errors/problem.ts'
import type { Answer, RenderContext, Result } from '../contract/dialect.ts'
import { encode, startsAround, toContentRange, toLinkHeader, toPageLinks } from './paging.ts'
import type { Spelling } from './spelling.ts'

/** Renders a result as plain records or as an envelope, with the total, ignored parameters and links in headers. */
export function render(result: Result, context: RenderContext, spelling: Spelling): Answer {
  if (result.type === 'list') return renderList(result, context, spelling)
  const headers = ignoredHeader(context)
  if (result.type === 'document') return { status: 200, headers, value: result.value }
  const status = result.action === 'created' ? 201 : 200
  if (result.type === 'records') return { status, headers, value: result.records }
  if (result.location) headers.push(['Location', result.location])
  return { status, headers, value: result.record }
}

type List = Extract<Result, { type: 'list' }>

/** Renders a list, a page with `Content-Range` and, up to a maximum length, `Link` (RFC 8288). */
function renderList(list: List, context: RenderContext, spelling: Spelling): Answer {
  const { asked, records, total } = list
  const { paging } = asked
  const headers: Answer['headers'] = [['X-Total-Count', String(total)], ...ignoredHeader(context)]
  if (!paging) return { status: 200, headers, value: records }
  if (paging.style !== 'cursor') headers.push(contentRange(list, context))
  // The pipeline makes relative URLs absolute.
  const { links } = toPageLinks(list, { ...context, origin: '' }, spelling)
  const link = toLinkHeader(links)
  if (link !== null) headers.push(['Link', link])
  return {
    status: 200,
    headers,
    value: paging.style === 'envelope' ? envelope(list, paging.size) : records,
  }
}

/** Creates the header `Content-Range` of a page. */
export function contentRange(
  { records, total, asked }: List,
  { path }: RenderContext,
): [name: string, value: string] {
  const offset = asked.query.slice?.start ?? 0
  return ['Content-Range', toContentRange({ path, offset, count: records.length, total })]
}

/** Creates the envelope of a page, as in json-server 1. */
function envelope(list: List, size: number): unknown {
  const numbers = Object.fromEntries(
    startsAround(list, size).map(([relation, start]) => [
      relation,
      start === null ? null : start / size + 1,
    ]),
  )
  return { ...numbers, pages: numbers['last'], items: list.total, data: list.records }
}

/** Creates the header that names the parameters without effect, if there are any. */
export function ignoredHeader({ ignored }: RenderContext): Answer['headers'] {
  return ignored ? [['X-Mock-Ignored', ignored.map(encodeName).join(', ')]] : []
}

/** Encodes a parameter's name for a header that is a comma-separated list. */
function encodeName(name: string): string {
  return encode(name).replaceAll(',', '%2C')
}

/** Renders an error as problem details (RFC 9457), with the `errors` that react-admin and refine show in forms. */
export function renderError(error: MockError): Answer {
  const { status, message, errors, headers, extensions } = error
  return {
    status,
    headers,
    type: problemType,
    value: toProblem(status, message, { ...(errors && { errors }), ...extensions }),
  }
}
