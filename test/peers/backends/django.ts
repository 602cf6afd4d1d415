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

/** Serves a back end that answers like Django REST framework: slashes at the end, page numbers, session cookies. */
export function serveDjango(): Promise<Backend> {
  const data: Record<string, Row[]> = createData()
  return serveBackend((call) => {
    const { method, url, body, headers } = call
    if (!url.pathname.endsWith('/')) {
      return { status: 301, headers: { Location: `${url.origin}${url.pathname}/${url.search}` } }
    }
    const [, base, name = '', id = ''] = url.pathname.split('/')
    if (base === 'login') {
      const cookie = 'sessionid=django-secret; HttpOnly; Path=/; SameSite=Lax'
      return { status: 200, value: { ok: true }, headers: { 'Set-Cookie': [cookie] } }
    }
    const rows = data[name]
    if (base !== 'api' || !rows) return { status: 404, value: { detail: 'Not found.' } }
    if (method !== 'GET' && headers.cookie !== 'sessionid=django-secret') {
      const detail = 'Authentication credentials were not provided.'
      return { status: 403, value: { detail } }
    }
    if (id === '') return method === 'POST' ? create(rows, body) : toPage(rows, call)
    const row = rows.find((one) => String(one.id) === id)
    if (!row) return { status: 404, value: { detail: `No ${name} matches the given query.` } }
    if (method === 'DELETE') {
      rows.splice(rows.indexOf(row), 1)
      return { status: 204 }
    }
    if (method !== 'GET') Object.assign(row, body)
    return { status: 200, value: row }
  })
}

function create(rows: Row[], body: Record<string, unknown> = {}): Reply {
  if (body['title'] === '') {
    return { status: 400, value: { title: ['This field may not be blank.'] } }
  }
  const row = { id: Math.max(...rows.map(({ id }) => id)) + 1, ...body }
  rows.push(row)
  return { status: 201, value: row }
}

/** A page of `PageNumberPagination`. */
function toPage(rows: readonly Row[], { url }: Call): Reply {
  const { searchParams } = url
  const page = numberOf(url, 'page', 1)
  const size = numberOf(url, 'page_size', 10)
  const author = searchParams.get('user_id')
  const found =
    author === null ? [...rows] : rows.filter((row) => String(row['user_id']) === author)
  const ordering = searchParams.get('ordering')
  const sorted = ordering === null ? found : sortRows(found, ordering)
  const last = Math.max(1, Math.ceil(found.length / size))
  if (page > last) return { status: 404, value: { detail: 'Invalid page.' } }
  const link = (to: number): string | null => {
    if (to < 1 || to > last) return null
    const target = new URL(url)
    // The first page has no number.
    if (to === 1) target.searchParams.delete('page')
    else target.searchParams.set('page', String(to))
    return target.href
  }
  const results = sorted.slice((page - 1) * size, page * size)
  const value = { count: found.length, next: link(page + 1), previous: link(page - 1), results }
  return { status: 200, value }
}
