import type { Params } from '../../url/params.ts'
import type { ListRequest, RenderContext, Result } from '../contract/dialect.ts'
import { writeCursor } from '../../query/cursor.ts'
import { encode } from '../rest/render-page.ts'
import { toGiven } from './given-params.ts'
import { type PageFacts, toRequestFacts } from './facts.ts'
import type { ParameterName } from './options.ts'
import type { Settings } from './settings.ts'

/** Returns the facts about a page of a list, from which the variables of templates are computed. */
export function toPageFacts(
  { records, total, asked, next }: List,
  items: readonly unknown[],
  context: RenderContext,
  settings: Settings,
): PageFacts {
  const { paging, query } = asked
  const offset = query.slice?.start ?? 0
  const limit = paging && paging.size > 0 ? paging.size : undefined
  const to = createLinks(asked, context, settings)
  const nextCursor = paging?.style === 'cursor' && next ? writeCursor(next()) : null
  const last = limit === undefined ? 0 : Math.max(0, Math.ceil(total / limit) - 1) * limit
  const none = { first: null, prev: null, next: null, last: null }
  const links = (): PageFacts['links'] => {
    if (paging?.style === 'cursor') {
      return {
        ...none,
        first: to.cursor(''),
        next: nextCursor === null ? null : to.cursor(nextCursor),
      }
    }
    if (limit === undefined) return none
    return {
      first: to.start(0),
      prev: offset > 0 ? to.start(Math.max(0, Math.min(offset - limit, last))) : null,
      next: offset + limit < total ? to.start(offset + limit) : null,
      last: to.start(last),
    }
  }
  const counted = toGiven(context.params, settings).own.count.at(-1)?.match['value'] ?? 'false'
  return {
    ...toRequestFacts(context),
    items,
    count: records.length,
    total,
    isCounted: counted !== 'false' && counted !== '0',
    style: paging?.style,
    offset,
    limit,
    firstNumber: settings.pages.first,
    links: links(),
    nextCursor,
    urlOf: (index) => to.start(index * (limit ?? 0)),
  }
}

/** A list to render. */
export type List = Extract<Result, { type: 'list' }>

/** Writes the URLs of other pages; the other parameters of the request are kept. */
function createLinks(
  { paging }: ListRequest,
  { origin, path, params }: RenderContext,
  settings: Settings,
): { start(index: number): string; cursor(cursor: string): string } {
  const { parameters, pages } = settings
  const { own } = toGiven(params, settings)
  const nameOf = (parameter: ParameterName): string | undefined =>
    own[parameter].at(-1)?.name ?? parameters[parameter][0]?.name
  const sizeParameter = own.perPage.length > 0 || own.limit.length === 0 ? 'perPage' : 'limit'
  const sizeName =
    paging?.style === 'range'
      ? nameOf('limit')
      : (nameOf(sizeParameter) ?? nameOf('perPage') ?? nameOf('limit'))
  const url = (changes: readonly (readonly [name: string | undefined, value: string | null])[]) => {
    const changed = new Map(changes)
    const kept = params.flatMap(([name, value]): Params => {
      const other = changed.get(name)
      return other === null ? [] : [[name, other ?? value]]
    })
    const added = changes.flatMap(([name, value]): Params => {
      const isNew = name !== undefined && value !== null
      return isNew && !params.some(([one]) => one === name) ? [[name, value]] : []
    })
    const search = [...kept, ...added].map(([name, value]) => `${encode(name)}=${encode(value)}`)
    return origin + path + (search.length > 0 ? `?${search.join('&')}` : '')
  }
  const size = String(paging?.size ?? '')
  return {
    cursor: (cursor) => url([[nameOf('cursor'), cursor]]),
    start(index) {
      const isFirst = index === 0 && pages.isFirstPlain
      if (paging?.style === 'range' && own.page.length === 0) {
        const start = isFirst ? null : String(index)
        const end = String(index + Number(size))
        const sized =
          own.end.length > 0 ? [[nameOf('end'), end] as const] : [[sizeName, size] as const]
        return url([...sized, [nameOf('start'), start]])
      }
      const number = String(index / (paging?.size ?? 1) + pages.first)
      const sized = pages.isSizeLinked ? [[sizeName, size] as const] : []
      return url([[nameOf('page'), isFirst ? null : number], ...sized])
    },
  }
}
