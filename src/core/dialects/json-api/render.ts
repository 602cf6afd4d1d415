import type { MockError } from '../../errors/mock-error.ts'
import { phraseOf } from '../../errors/status.ts'
import { isRecord, type Json, ownValue } from '../../json/json.ts'
import { valueAt } from '../../json/path.ts'
import { toToken } from '../../json/pointer.ts'
import type { Answer, Data, RenderContext, Result } from '../contract/dialect.ts'
import { toPageLinks } from '../rest/paging.ts'
import { ignoredHeader } from '../rest/render.ts'
import { createWriter, mediaType, toDocument } from './document.ts'
import { isAtomic } from './media-type.ts'
import { memberOf, resourceOf } from './names.ts'
import { spelling } from './parameters.ts'

/** Renders a result as a document with resource objects of JSON:API 1.1. */
export function render(result: Result, context: RenderContext): Answer {
  const data = dataOf(context)
  const headers = ignoredHeader(context)
  const answer = (status: number, members: Record<string, unknown>): Answer => {
    return { status, headers, type: mediaType, value: toDocument(members) }
  }
  if (result.type === 'document') return answer(200, { meta: { value: result.value } })
  const { name = '' } = context.target?.resource ?? {}
  const { toResource, toIncluded } = createWriter(data, context.params)
  if (result.type === 'list' || result.type === 'records') {
    const { records } = result
    const resources = records.map((record) => toResource(name, record))
    const { links } =
      result.type === 'list' && result.asked.paging ? toPageLinks(result, context, spelling) : {}
    return answer(result.type === 'list' ? 200 : 201, {
      links: { self: data.url, ...links },
      data: resources,
      ...toIncluded(name, records, resources),
      meta: { total: result.type === 'list' ? result.total : records.length },
    })
  }
  const { record, action, form } = result
  if (action === 'removed') return { status: 204, headers, value: undefined }
  const resource = toResource(name, record)
  const { self } = resource['links'] as { self: string }
  const isNew = action === 'created'
  if (isNew) headers.push(['Location', self])
  return answer(form?.status ?? (isNew ? 201 : 200), {
    links: { self: isNew ? self : data.url },
    data: resource,
    ...toIncluded(name, [record], [resource]),
  })
}

function dataOf(context: RenderContext): Data {
  const data = context.service?.dataOf?.(context)
  if (!data) throw new Error('Failed to render: the context has no data.')
  return data
}

/** Renders an error as error objects ("Error Objects"), one for each fault of a field, with their sources. */
export function renderError(error: MockError, context: RenderContext): Answer {
  const { status, code, message, errors = {}, issues, headers, extensions } = error
  const { issues: _, source, ...meta } = extensions
  const general = { status: String(status), code, title: phraseOf(status) }
  const facts = Object.keys(meta).length > 0 ? { meta } : {}
  const isSent = (name: string): boolean => context.headers[name.toLowerCase()] !== undefined
  const header = ownValue(sourceHeaders, String(status))?.find(isSent)
  const parameters = issues ? [] : Object.entries(errors)
  const sources: Fault[] = isRecord(source)
    ? [{ source }]
    : [
        ...(issues ?? []).map(({ path, message: text }) => {
          const field = path.filter((step) => typeof step === 'string').join('.')
          return { source: { pointer: pointerTo(path, context) }, detail: `${field} ${text}` }
        }),
        ...parameters.map(([parameter]) => ({ source: { parameter } })),
        ...(header === undefined ? [] : [{ source: { header } }]),
      ]
  const faults: Fault[] = sources.length > 0 ? sources : [{}]
  const list = faults.map((one) => ({ ...general, detail: message, ...one, ...facts }))
  return { status, headers, type: mediaType, value: toDocument({ errors: list }) }
}

/** The members in which the errors of a response differ. */
interface Fault {
  source?: unknown
  detail?: string
}

/** The headers that cause errors, by status. */
const sourceHeaders: Readonly<Record<string, readonly string[]>> = {
  406: ['Accept'],
  412: ['If-Match', 'If-None-Match', 'If-Unmodified-Since'],
  415: ['Content-Encoding', 'Content-Type'],
}

/** Returns the pointer to the value of a field in the body or, as it has to exist ("Error Objects"), to what should contain it. */
function pointerTo(path: readonly (string | number)[], context: RenderContext): string {
  const { body = null, target } = context
  const [place, ...inner] = path
  const isOperation = isAtomic(context.headers) && typeof place === 'number'
  const start = isOperation ? ['atomic:operations', place, 'data'] : ['data']
  const [field = '', ...rest] = (isOperation ? inner : path).map(String)
  const data = dataOf(context)
  const type = isOperation && isRecord(body) ? valueAt(body, [...start, 'type'].map(String)) : ''
  const name = target?.resource.name ?? resourceOf(String(type), data.names()) ?? ''
  const idField = data.idField(name)
  const relation = data.relationsOf(name).find(({ keys = [] }) => keys.includes(field))
  const steps = relation
    ? ['relationships', relation.name, 'data']
    : field === idField
      ? ['id']
      : ['attributes', memberOf(field, name), ...rest]
  let pointer = ''
  let value: Json | undefined = body
  for (const step of [...start, ...steps]) {
    if (typeof value !== 'object' || value === null) break
    value = ownValue(value as Record<string, Json>, String(step))
    if (value === undefined) break
    pointer += `/${toToken(step)}`
  }
  return pointer
}
