// Creates the requests of a row, independent of the wire format: `{ kind, id | question | record | changes }`.
// Each round has its own slice, so that no round repeats the writes of another and all sides get the same.

import { categories, createRandom, createRecord, mostViews, statuses } from './data.js'

/**
 * The slices outside the rounds: the warm-up, the checks before and after the rounds, and the last one, which is
 * four times as long. Up to 14 rounds follow the `first`, as disturbed rounds are repeated.
 */
export const slices = { warm: 0, before: 1, after: 2, first: 3, long: 18 }

/** The number of slices, the last one counted four times. */
export const mostSlices = slices.long + 4

/** The number of records a page, unless a question has a limit. */
export const pageSize = 20

/** Requests for random records. */
export function members(count, round) {
  const random = createRandom(100 + round)
  return repeat(2_000, () => ({ kind: 'get', id: random.integer(1, count) }))
}

/** One list query, repeated. */
export function hotList() {
  const where = { status: 'published', category: 'category-07' }
  return [{ kind: 'list', question: { where, sort: '-views', page: 2 } }]
}

/** All records with all fields. */
export function wholeList() {
  return [{ kind: 'list', question: {} }]
}

/** Creations of records without an id. */
export function posts(_count, round) {
  const random = createRandom(200 + round)
  return repeat(2_000, () => ({ kind: 'post', record: createRecord(random) }))
}

/**
 * List queries that differ from the previous one in filter, sort field or page. Every tenth request is a
 * write: eight patches, a creation, a deletion, and again.
 */
export function mixed(count, round) {
  const random = createRandom(300 + round)
  const kept = Math.floor(count / 10)
  // Every deletion of every slice has its own record, which no patch uses.
  const share = Math.floor((count - kept) / mostSlices)
  // More requests than any side can answer in a round, because a repeated deletion is an error.
  const length = Math.min(60_000, share * 100)
  let doomed = kept + 1 + round * share
  let question = { where: drawFilter(random), sort: drawSort(random), page: 1 }
  const change = () => ({
    kind: 'patch',
    id: random.integer(1, kept),
    changes: drawChanges(random),
  })
  const writes = repeat(8, () => change).concat(
    () => ({ kind: 'post', record: createRecord(random) }),
    () => ({ kind: 'delete', id: doomed++ }),
  )
  return repeat(length, (at) => {
    if (at % 10 === 9) return writes[Math.floor(at / 10) % writes.length]()
    question = turn(question, count, random)
    return { kind: 'list', question }
  })
}

function turn(question, count, random) {
  const pages = Math.min(10, Math.floor((count * shareOf(question.where)) / 2 / pageSize))
  const what = random.pick(pages > 1 ? ['where', 'sort', 'page'] : ['where', 'sort'])
  if (what === 'page')
    return { ...question, page: another(question.page, () => random.integer(1, pages)) }
  const draw = what === 'where' ? drawFilter : drawSort
  return { ...question, [what]: another(question[what], () => draw(random)), page: 1 }
}

function drawFilter(random) {
  const status = random.pick(statuses)
  const category = random.pick(categories)
  const views = { gte: random.integer(0, mostViews / 2) }
  return random.pick([{ status }, { category }, { status, category }, { status, views }])
}

function drawSort(random) {
  return random.pick(['', '-']) + random.pick(['views', 'price', 'createdAt', 'title'])
}

/** Draws changes of a record. */
export function drawChanges(random) {
  return random.pick([
    { views: random.integer(0, mostViews) },
    { status: random.pick(statuses) },
    { price: random.integer(100, 99_999) / 100, status: random.pick(statuses) },
  ])
}

/** The approximate share of the records that a filter finds. */
function shareOf(where) {
  const shares = {
    status: () => 1 / statuses.length,
    category: () => 1 / categories.length,
    views: ({ gte }) => 1 - gte / mostViews,
  }
  return Object.entries(where).reduce((all, [field, value]) => all * shares[field](value), 1)
}

function another(value, draw) {
  for (;;) {
    const drawn = draw()
    if (JSON.stringify(drawn) !== JSON.stringify(value)) return drawn
  }
}

/** A list of what the function makes for each index. */
export function repeat(length, make) {
  return Array.from({ length }, (_, index) => make(index))
}
