// The wire formats: convert a request of a row to method, path and body, and a response body to data.

import { pageSize } from './traffic.js'

const rest = createWire((question) => [
  ...toFilters(question.where, (field, operator) => `${field}_${operator}`),
  ...(question.sort ? [['_sort', question.sort]] : []),
  ...(question.page
    ? [
        ['_page', question.page],
        ['_limit', pageSize],
      ]
    : []),
])

const jsonServer0 = createWire((question) => [
  ...toFilters(question.where, (field, operator) => `${field}_${operator}`),
  ...(question.sort ? toSortAndOrder(question.sort) : []),
  ...(question.page
    ? [
        ['_page', question.page],
        ['_limit', pageSize],
      ]
    : []),
])

const jsonServer1 = createWire(
  (question) => [
    ...toFilters(question.where, (field, operator) => `${field}:${operator}`),
    ...(question.sort ? [['_sort', question.sort]] : []),
    ...(question.page
      ? [
          ['_page', question.page],
          ['_per_page', pageSize],
        ]
      : []),
  ],
  (value) => (value.data ?? value).map((row) => ({ ...row, id: Number(row.id) })),
  // json-server 1 converts all ids to strings.
  (row) => ({ ...row, id: Number(row.id) }),
)

const fakeRest = createWire((question) => [
  [
    'filter',
    JSON.stringify(
      Object.fromEntries(toFilters(question.where, (field, operator) => `${field}_${operator}`)),
    ),
  ],
  ...(question.sort
    ? [['sort', JSON.stringify(toSortAndOrder(question.sort).map(([, value]) => value))]]
    : []),
  ...(question.page
    ? [['range', JSON.stringify([(question.page - 1) * pageSize, question.page * pageSize - 1])]]
    : []),
])

export const wires = { rest, jsonServer0, jsonServer1, fakeRest }

/** Creates a wire format from functions for the query of a list and for reading a list and a record. */
function createWire(toSearch, toRecords = (value) => value, toRecord = (value) => value) {
  const list = (question) => {
    const search = new URLSearchParams(toSearch(question)).toString()
    return search ? `/posts?${search}` : '/posts'
  }
  const table = {
    get: ({ id }) => ['GET', `/posts/${id}`],
    list: ({ question }) => ['GET', list(question)],
    post: ({ record }) => ['POST', '/posts', record],
    patch: ({ id, changes }) => ['PATCH', `/posts/${id}`, changes],
    delete: ({ id }) => ['DELETE', `/posts/${id}`],
  }
  return {
    toHttp(request) {
      const [method, path, value] = table[request.kind](request)
      return value ? { method, path, body: JSON.stringify(value) } : { method, path }
    },
    fromHttp: (request, value) => (request.kind === 'list' ? toRecords(value) : toRecord(value)),
  }
}

function toFilters(where = {}, withOperator) {
  return Object.entries(where).map(([field, value]) =>
    typeof value === 'object' ? [withOperator(field, 'gte'), value.gte] : [field, value],
  )
}

function toSortAndOrder(sort) {
  return [
    ['_sort', sort.replace('-', '')],
    ['_order', sort.startsWith('-') ? 'desc' : 'asc'],
  ]
}
