import {
  type Backend,
  type Call,
  createData,
  numberOf,
  type Reply,
  type Row,
  serveBackend,
  sortRows,
} from './backend.ts'

/** Serves a back end that answers like Laravel: API resources, length-aware pages and Sanctum tokens. */
export function serveLaravel(): Promise<Backend> {
  const data: Record<string, Row[]> = createData()
  return serveBackend((call) => {
    const { method, url, body, headers } = call
    const [, base, name = '', id, child] = url.pathname.split('/')
    if (base !== 'api') return { status: 404, value: { message: 'Not Found' } }
    if (name === 'login' && method === 'POST') return login(body)
    if (name === 'user') {
      const isKnown = headers.authorization === 'Bearer 1|laravel-secret'
      if (!isKnown) return { status: 401, value: { message: 'Unauthenticated.' } }
      return { status: 200, value: { data: data['users']?.[0] } }
    }
    const rows = data[name]
    if (!rows)
      return { status: 404, value: { message: `The route api/${name} could not be found.` } }
    if (id === undefined) return method === 'POST' ? create(rows, body) : toPage(rows, call)
    const row = rows.find((one) => String(one.id) === id)
    if (!row)
      return { status: 404, value: { message: `No query results for model [${name}] ${id}` } }
    if (child !== undefined) {
      const children = data[child]?.filter((one) => one['user_id'] === row.id) ?? []
      return toPage(children, call)
    }
    if (method === 'DELETE') {
      rows.splice(rows.indexOf(row), 1)
      return { status: 204 }
    }
    if (method !== 'GET') Object.assign(row, body)
    return { status: 200, value: { data: row } }
  })
}

function login(body: Record<string, unknown> = {}): Reply {
  if (body['password'] !== 'laravel-password') {
    const errors = { email: ['These credentials do not match our records.'] }
    return { status: 422, value: { message: errors.email[0], errors } }
  }
  return {
    status: 200,
    value: { token: '1|laravel-secret' },
    headers: { 'Set-Cookie': ['laravel_session=laravel-cookie; Path=/; HttpOnly; Secure'] },
  }
}

function create(rows: Row[], body: Record<string, unknown> = {}): Reply {
  if (body['title'] === '') {
    const errors = { title: ['The title field is required.'] }
    return { status: 422, value: { message: errors.title[0], errors } }
  }
  const row = { id: Math.max(...rows.map(({ id }) => id)) + 1, ...body }
  rows.push(row)
  return { status: 201, value: { data: row } }
}

/** A length-aware page, without the list of page links. */
function toPage(all: readonly Row[], { url }: Call): Reply {
  const page = numberOf(url, 'page', 1)
  const size = numberOf(url, 'per_page', 10)
  const sort = url.searchParams.get('sort')
  const rows = (sort === null ? [...all] : sortRows(all, sort)).slice(
    (page - 1) * size,
    page * size,
  )
  const last = Math.max(1, Math.ceil(all.length / size))
  const path = url.origin + url.pathname
  const link = (to: number): string | null =>
    to < 1 || to > last ? null : `${path}?${withPage(url, to)}`
  const meta = {
    current_page: page,
    from: rows.length > 0 ? (page - 1) * size + 1 : null,
    last_page: last,
    path,
    per_page: size,
    to: rows.length > 0 ? (page - 1) * size + rows.length : null,
    total: all.length,
  }
  const links = { first: link(1), last: link(last), prev: link(page - 1), next: link(page + 1) }
  return { status: 200, value: { data: rows, links, meta } }
}

function withPage({ searchParams }: URL, page: number): string {
  const params = new URLSearchParams(searchParams)
  params.set('page', String(page))
  return params.toString()
}
