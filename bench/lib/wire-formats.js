// The wire formats of the sides. Each converts a request of a row to a method, a path and a body, and the
// body of the response to data.

import { pageSize } from './traffic.js'

const rest = createWire((question) => [
  ...toFilters(question.where, (field, operator) => `${field}_${operator}`),
  ...given('_where', question.tree && JSON.stringify(question.tree)),
  ...given('q', question.search),
  ...given('_embed', question.embed),
  ...given('_sort', question.sort),
  ...given('_cursor', question.cursor),
  ...given('_fields', question.fields),
  ...toPage(question, '_limit'),
])

/** The parameters of `rest`, with the values of the last record for a cursor. */
const sqlite = {
  ...rest,
  toHttp(request) {
    const { cursor, after, ...question } = request.question ?? {}
    if (cursor === undefined) return rest.toHttp(request)
    const { method, path } = rest.toHttp({ ...request, question })
    return { method, path: `${path}&_after=${encodeURIComponent(JSON.stringify(after))}` }
  },
}

const jsonServer0 = {
  ...createWire((question) => [
    ...toFilters(question.where, (field, operator) => `${field}_${operator}`),
    ...given('q', question.search),
    ...given('_embed', question.embed),
    ...(question.sort ? toSortAndOrder(question.sort) : []),
    ...toPage(question, '_limit'),
  ]),
  simplify: withoutNestedEmbed,
}

const jsonServer1 = createWire(
  (question) => [
    ...toFilters(question.where, (field, operator) => `${field}:${operator}`),
    ...given('_embed', question.embed),
    ...given('_sort', question.sort),
    ...toPage(question, '_per_page'),
  ],
  (value) => (value.data ?? value).map((row) => ({ ...row, id: Number(row.id) })),
  // json-server 1 converts all ids to strings.
  (row) => ({ ...row, id: Number(row.id) }),
)

const fakeRest = createWire((question) => {
  const { where, search, sort, page, limit = pageSize } = question
  const filters = [
    ...toFilters(where, (field, operator) => `${field}_${operator}`),
    ...given('q', search),
  ]
  const range = page && [(page - 1) * limit, page * limit - 1]
  return [
    ['filter', JSON.stringify(Object.fromEntries(filters))],
    ...given('sort', sort && JSON.stringify(toSortAndOrder(sort).map(([, value]) => value))),
    ...given('range', range && JSON.stringify(range)),
  ]
})

export const wires = { rest, sqlite, jsonServer0, jsonServer1, fakeRest }

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

/** The request for a server that can embed related records (`comments`), and not their relations (`comments.author`). */
function withoutNestedEmbed(request) {
  const { embed } = request.question ?? {}
  if (!embed?.includes('.')) return request
  return { ...request, question: { ...request.question, embed: embed.split('.')[0] } }
}

/** The parameter with a value, if the question has one. */
function given(name, value) {
  return value === undefined ? [] : [[name, value]]
}

function toFilters(where = {}, withOperator) {
  return Object.entries(where).map(([field, value]) =>
    typeof value === 'object'
      ? Object.entries(value).map(([operator, operand]) => [
          withOperator(field, operator),
          operand,
        ])[0]
      : [field, value],
  )
}

function toSortAndOrder(sort) {
  return [
    ['_sort', sort.replace('-', '')],
    ['_order', sort.startsWith('-') ? 'desc' : 'asc'],
  ]
}

/** A page, or only a limit, which a page has unless the question says another. */
function toPage({ page, limit = page && pageSize }, nameOfLimit) {
  return [...given('_page', page), ...given(nameOfLimit, limit)]
}
