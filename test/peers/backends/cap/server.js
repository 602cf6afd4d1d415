import cds from '@sap/cds'
import express from 'express'

/**
 * Serves the records of the environment variable `DATA` as a service of the SAP Cloud Application Programming Model:
 * OData 4 with `$top`, `$skip`, `$orderby` and `$count`. Prints the port.
 */
const data = JSON.parse(process.env.DATA ?? '{}')

const model = `
  service blog @(path: '/odata/v4/blog') {
    entity users {
      key id: Integer; name: String; is_active: Boolean; created_at: DateTime;
    }
    entity posts {
      key id: Integer; user_id: Integer; title: String; views: Integer; published_at: DateTime;
    }
  }`

/** The records of the entity of a request. */
function rowsOf({ target }) {
  return data[target.name.split('.').at(-1)]
}

/** The record of the key in the path. */
function rowOf(request) {
  const { id } = request.params.at(-1)
  return rowsOf(request).find((row) => row.id === id)
}

function compare(left, right) {
  return left < right ? -1 : left > right ? 1 : 0
}

function read(request) {
  const { one, where, orderBy = [], limit = {}, count } = request.query.SELECT
  if (one) return rowOf(request)
  if (where) return request.reject(501, 'This service has no filters.')
  const rows = rowsOf(request).toSorted((left, right) => {
    const orders = orderBy.map(({ ref: [field], sort }) => {
      return (sort === 'desc' ? -1 : 1) * compare(left[field], right[field])
    })
    return orders.find((order) => order !== 0) ?? 0
  })
  const start = limit.offset?.val ?? 0
  const page = rows.slice(start, start + (limit.rows?.val ?? rows.length))
  return Object.assign(page, count && { $count: rows.length })
}

const app = express()
cds.model = cds.compile.for.nodejs(cds.compile(model))
await cds
  .serve('all')
  .from(cds.model)
  .in(app)
  .with((service) => {
    service.on('READ', '*', read)
    service.on('CREATE', '*', (request) => {
      const rows = rowsOf(request)
      const row = { ...request.data, id: Math.max(...rows.map(({ id }) => id)) + 1 }
      rows.push(row)
      return row
    })
    service.on('UPDATE', '*', (request) => {
      const row = rowOf(request)
      return row ? Object.assign(row, request.data) : request.reject(404)
    })
    service.on('DELETE', '*', (request) => {
      const rows = rowsOf(request)
      const row = rowOf(request)
      return row ? rows.splice(rows.indexOf(row), 1) : request.reject(404)
    })
  })
const server = app.listen(0, '127.0.0.1', () => console.log(`port ${server.address().port}`))
