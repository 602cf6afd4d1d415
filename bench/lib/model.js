// A naive implementation of every request, which the bench compares each side with.

import { isDeepStrictEqual } from 'node:util'

import { pageSize } from './traffic.js'

/** Creates a model of the records; writes change the model. */
export function createModel(records) {
  let rows = records
  const indexOf = (id) => rows.findIndex((row) => row.id === id)
  const answers = {
    get: ({ id }) => rows[indexOf(id)],
    list: ({ question }) => ask(rows, question),
    post({ record }) {
      const row = { ...record, id: rows.reduce((most, { id }) => Math.max(most, id), 0) + 1 }
      rows = [...rows, row]
      return row
    },
    patch({ id, changes }) {
      const row = { ...rows[indexOf(id)], ...changes }
      rows = rows.with(indexOf(id), row)
      return row
    },
    delete({ id }) {
      const row = rows[indexOf(id)]
      rows = rows.filter((other) => other !== row)
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

function ask(rows, { where = {}, sort, page }) {
  const found = rows.filter((row) => matches(row, where))
  if (sort) found.sort(by(sort))
  return page ? found.slice((page - 1) * pageSize, page * pageSize) : found
}

function matches(row, where) {
  return Object.entries(where).every(([field, value]) =>
    typeof value === 'object' ? row[field] >= value.gte : row[field] === value,
  )
}

function by(sort) {
  const sign = sort.startsWith('-') ? -1 : 1
  const field = sort.replace('-', '')
  return (a, b) => sign * (Number(a[field] > b[field]) - Number(a[field] < b[field]))
}

function brief(value) {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 300)
}
