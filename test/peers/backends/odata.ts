import { type Backend, createData, numberOf, type Row, serveBackend, sortRows } from './backend.ts'

/**
 * Serves a back end that answers like a service of `@sap/cds`, which itself needs Node 22: OData 4.01 with
 * `$top`, `$skip`, `$orderby`, `$count`, and keys in parentheses.
 */
export function serveOdata(): Promise<Backend> {
  const data: Record<string, Row[]> = createData()
  return serveBackend(({ method, url, body }) => {
    const { pathname, searchParams } = url
    const [, base, version, service, path = ''] = pathname.split('/')
    const [, name = '', key] = /^(\w+)(?:\((\d+)\))?$/.exec(path) ?? []
    const rows = data[name]
    const headers = { 'OData-Version': '4.0' }
    const context = `$metadata#${name}`
    if (base !== 'odata' || version !== 'v4' || service !== 'blog' || !rows) {
      return { status: 404, value: { error: { message: 'Not Found', code: '404' } }, headers }
    }
    if (key === undefined && method === 'POST') {
      const row = { id: Math.max(...rows.map(({ id }) => id)) + 1, ...body }
      rows.push(row)
      return { status: 201, value: { '@odata.context': `${context}/$entity`, ...row }, headers }
    }
    if (key === undefined) {
      const order = searchParams.get('$orderby')?.replace(/^(\S+) desc$/, '-$1')
      const sorted = order === undefined ? rows : sortRows(rows, order)
      const skip = numberOf(url, '$skip', 0)
      const value = sorted.slice(skip, skip + numberOf(url, '$top', 1000))
      const count = searchParams.get('$count') === 'true' ? { '@odata.count': rows.length } : {}
      return { status: 200, value: { '@odata.context': context, ...count, value }, headers }
    }
    const row = rows.find((one) => String(one.id) === key)
    if (!row)
      return { status: 404, value: { error: { message: 'Not Found', code: '404' } }, headers }
    if (method === 'DELETE') {
      rows.splice(rows.indexOf(row), 1)
      return { status: 204, headers }
    }
    if (method !== 'GET') Object.assign(row, body)
    return { status: 200, value: { '@odata.context': `${context}/$entity`, ...row }, headers }
  })
}
