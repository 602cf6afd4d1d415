// A naive implementation of every request. The bench compares the responses of each side with the responses
// of this model.

import { isDeepStrictEqual } from 'node:util'

import { pageSize } from './traffic.js'

/** Creates a model of the records and related ones; writes change the model. */
export function createModel(records, related) {
  let rows = records
  /** The rows in each order that was asked for since the last write. */
  let ordered = new Map()
  const write = (next) => {
    rows = next
    ordered = new Map()
  }
  const inOrder = (sort) => {
    if (!ordered.has(sort)) ordered.set(sort, sort ? rows.toSorted(by(sort)) : rows)
    return ordered.get(sort)
  }
  const indexOf = (id) => rows.findIndex((row) => row.id === id)
  const answers = {
    get: ({ id }) => rows[indexOf(id)],
    list: ({ question }) =>
      ask(inOrder(question.sort), question).map((row) => embed(row, question, related)),
    post({ record }) {
      const row = { ...record, id: rows.reduce((most, { id }) => Math.max(most, id), 0) + 1 }
      write([...rows, row])
      return row
    },
    patch({ id, changes }) {
      const row = { ...rows[indexOf(id)], ...changes }
      write(rows.with(indexOf(id), row))
      return row
    },
    delete({ id }) {
      const row = rows[indexOf(id)]
      write(rows.filter((other) => other !== row))
      return row
    },
  }
  return { answer: (request) => answers[request.kind](request) }
}

/**
 * Sends the requests one after another and compares every response with that of the model.
 * @throws Error with the first wrong response
 */
export async function verify(name, send, requests, model) {
  for (const request of requests) {
    const { status, value } = await send(request)
    const expected = model.answer(request)
    if (status >= 200 && status < 300 && isDeepStrictEqual(value, expected)) continue
    throw new Error(
      `Failed to verify "${name}": wrong response (${status}) to ${brief(request)}.\n` +
        `  expected ${brief(expected)}\n  got      ${brief(value)}`,
    )
  }
}

function ask(rows, question) {
  const { where = {}, tree = {}, search = '', page, limit = pageSize } = question
  const found = rows.filter(
    (row) => matches(row, where) && matches(row, tree) && contains(row, search),
  )
  const skip = question.skip ?? (page ? (page - 1) * limit : 0)
  return page || question.limit ? found.slice(skip, skip + limit) : found
}

function matches(row, where) {
  const tests = {
    and: (trees) => trees.every((tree) => matches(row, tree)),
    or: (trees) => trees.some((tree) => matches(row, tree)),
    not: (tree) => !matches(row, tree),
  }
  return Object.entries(where).every(([field, value]) => {
    if (tests[field]) return tests[field](value)
    return typeof value === 'object' ? row[field] >= value.gte : row[field] === value
  })
}

function contains(value, text) {
  if (typeof value === 'object') return Object.values(value).some((one) => contains(one, text))
  return String(value).includes(text)
}

function embed(row, { embed: path }, related) {
  if (!path) return row
  const comments = related.comments.filter(({ postId }) => postId === row.id)
  const withAuthor = (comment) => ({ ...comment, author: related.authors[comment.authorId - 1] })
  return { ...row, comments: path === 'comments' ? comments : comments.map(withAuthor) }
}

function by(sort) {
  const sign = sort.startsWith('-') ? -1 : 1
  const field = sort.replace('-', '')
  return (a, b) => sign * (Number(a[field] > b[field]) - Number(a[field] < b[field]))
}

function brief(value) {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 300)
}
