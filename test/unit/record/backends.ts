import { isRecord, type Json, type JsonRecord } from '../../../src/core/json/json.ts'

/** A small API in the style of a framework, with data of its own. */
export interface Backend {
  origin: string
  answer(method: string, path: string, sent?: JsonRecord): Reply
}

/** A response of a back end. */
export interface Reply {
  status: number
  json?: Json
  headers?: Record<string, string>
}

type Records = Record<string, JsonRecord[]>

/** The data of both back ends: articles of authors, with private values that no file may contain. */
export function createRecords(): Records {
  const authors = [
    { id: 1, first_name: 'Ottilie', last_name: 'Quartermaine', email: 'ottilie@quartermaine.dev' },
    { id: 2, first_name: 'Bartholomew', last_name: 'Zuckerbrot', email: 'bart@zuckerbrot.dev' },
  ]
  const articles = Array.from({ length: 7 }, (_, at) => ({
    id: at + 1,
    title: `Title ${at + 1}`,
    author_id: (at % 2) + 1,
    is_published: at % 3 !== 0,
    body: `The whole text of article ${at + 1}.`,
  }))
  return { authors, articles }
}

/** The texts of `createRecords` that no file may contain. */
export const privateTexts: readonly string[] = [
  'Ottilie',
  'Quartermaine',
  'Bartholomew',
  'Zuckerbrot',
  'quartermaine.dev',
  'zuckerbrot.dev',
]

/** The credentials that the back ends and their clients exchange. */
export const credentials: readonly string[] = [
  'correct-horse-battery',
  'tok_9f8e7d6c5b4a3210',
  'session-cookie-4711',
  'query-key-8086',
]

/** A back end in the style of Laravel: API resources, the length-aware paginator, `filter` and `sort`. */
export function createLaravelBackend(): Backend {
  const origin = 'https://laravel.shop.dev'
  return createBackend(origin, {
    list(items, { query, path, total }) {
      const page = Number(query.get('page') ?? 1)
      const size = Number(query.get('per_page') ?? 3)
      const last = Math.max(1, Math.ceil(total / size))
      const data = items.slice((page - 1) * size, page * size)
      const link = (at: number): string => `${origin}${path}?page=${at}`
      const from = (page - 1) * size
      return {
        data,
        links: {
          first: link(1),
          last: link(last),
          prev: page > 1 ? link(page - 1) : null,
          next: page < last ? link(page + 1) : null,
        },
        meta: {
          current_page: page,
          from: data.length > 0 ? from + 1 : null,
          last_page: last,
          path: origin + path,
          per_page: size,
          to: data.length > 0 ? from + data.length : null,
          total,
        },
      }
    },
    record: (record) => ({ data: record }),
    missing: () => ({ message: 'No query results for model.' }),
    filter: (name) => /^filter\[(\w+)\]$/.exec(name)?.[1],
    sort: 'sort',
  })
}

/** A back end in the style of Django REST framework: page numbers, final slashes, `ordering`, bare records. */
export function createDjangoBackend(): Backend {
  const origin = 'https://django.shop.dev'
  const backend = createBackend(origin, {
    list(items, { query, path, total }) {
      const page = Number(query.get('page') ?? 1)
      const size = Number(query.get('page_size') ?? 5)
      const last = Math.max(1, Math.ceil(total / size))
      const link = (at: number): string => {
        const next = new URLSearchParams(query)
        if (at === 1) next.delete('page')
        else next.set('page', String(at))
        return `${origin}${path}/${next.size > 0 ? `?${next}` : ''}`
      }
      return {
        count: total,
        next: page < last ? link(page + 1) : null,
        previous: page > 1 ? link(page - 1) : null,
        results: items.slice((page - 1) * size, page * size),
      }
    },
    record: (record) => record,
    missing: () => ({ detail: 'Not found.' }),
    filter: (name) => (/^\w+$/.test(name) ? name : undefined),
    sort: 'ordering',
  })
  return backend
}

interface Style {
  list(items: JsonRecord[], call: { query: URLSearchParams; path: string; total: number }): Json
  record(record: JsonRecord): Json
  missing(): Json
  /** The field of a filter parameter. */
  filter(name: string): string | undefined
  sort: string
}

function createBackend(origin: string, style: Style): Backend {
  const records = createRecords()
  const reserved = new Set(['page', 'per_page', 'page_size', 'api_key', style.sort])

  function list(name: string, path: string, query: URLSearchParams): Reply {
    let items = [...(records[name] ?? [])]
    for (const [key, value] of query) {
      const field = reserved.has(key) ? undefined : style.filter(key)
      if (field) items = items.filter((one) => textOf(one[field]) === value)
    }
    const sort = query.get(style.sort)
    if (sort) {
      const field = sort.replace(/^-/, '')
      items.sort((a, b) => (textOf(a[field]) < textOf(b[field]) ? -1 : 1))
      if (sort.startsWith('-')) items.reverse()
    }
    // Lists leave out the text.
    const short = items.map(({ body: _body, ...rest }) => rest)
    return { status: 200, json: style.list(short, { query, path, total: items.length }) }
  }

  function member(method: string, name: string, id: string, sent: JsonRecord): Reply {
    const all = records[name] ?? []
    const found = all.find((one) => textOf(one['id']) === id)
    if (!found) return { status: 404, json: style.missing() }
    if (method === 'DELETE') {
      records[name] = all.filter((one) => one !== found)
      return { status: 204 }
    }
    if (method !== 'GET') Object.assign(found, sent)
    return { status: 200, json: style.record({ ...found }) }
  }

  return {
    origin,
    answer(method, url, sent = {}) {
      const { pathname, searchParams } = new URL(url, origin)
      const path = pathname.replace(/\/$/, '')
      const [, , name = '', id] = path.split('/')
      if (name === 'login') {
        return {
          status: 200,
          json: { token: 'tok_9f8e7d6c5b4a3210', user: { id: 1, email: sent['email'] ?? null } },
          headers: { 'Set-Cookie': 'sid=session-cookie-4711; HttpOnly' },
        }
      }
      if (name === 'search') return { status: 200, json: { hits: 2, term: searchParams.get('q') } }
      if (!isRecord(records) || !records[name]) return { status: 404, json: style.missing() }
      if (id !== undefined) return member(method, name, id, sent)
      if (method !== 'POST') return list(name, path, searchParams)
      const created = { id: 100, ...sent }
      records[name].push(created)
      return { status: 201, json: style.record(created) }
    },
  }
}

function textOf(value: Json | undefined): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
