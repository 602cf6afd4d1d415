// Traffic in which no question is asked twice, so that no cache answers: filters, orders, pages and their
// sizes are drawn at random, and a question that was drawn before is replaced by another.

import {
  authorCount,
  categories,
  createRandom,
  createRecord,
  mostViews,
  statuses,
  words,
} from './data.js'
import { ask } from './send.js'
import { drawChanges, mostSlices, repeat, slices } from './traffic.js'

const orders = ['views', '-views', 'price', '-price', 'createdAt', '-createdAt', 'title']

/**
 * Creates the traffic of an independent load: 40 % ask for a boolean in any order and any page, 30 % for one
 * of 1,000 foreign keys, 30 % for a range and a boolean. With `writes`, every eleventh request is a write:
 * eight patches, a creation, a deletion, and again.
 */
export function createCold({ writes: hasWrites = false } = {}) {
  return createTraffic(
    drawCold,
    (count) => (count > 10_000 ? 9_000 : 20_000),
    hasWrites ? createWrites : undefined,
  )
}

/** Creates the traffic of pages with the comments of each record and their authors. */
export function createEmbeds() {
  return createTraffic(
    (random, count) => ({ ...drawCold(random, count), embed: 'comments.author' }),
    () => 6_000,
  )
}

/** Creates the traffic of full-text searches: three words in a row, or a number in a title. */
export function createSearches() {
  const draw = (random) => ({
    search: random.pick([drawPhrase(random), String(random.integer(1_000, 999_999))]),
    sort: random.pick(orders),
    page: 1,
    limit: drawLimit(random),
  })
  return createTraffic(draw, () => 3_000)
}

/** Creates the traffic of trees of `and`, `or` and `not`, each with a range. */
export function createTrees() {
  const draw = (random) => ({
    tree: drawTree(random),
    sort: random.pick(orders),
    page: random.integer(1, 10),
    limit: drawLimit(random),
  })
  return createTraffic(draw, () => 9_000)
}

/**
 * Creates the traffic of pages after a cursor anywhere in a list. The cursors are those that a side gives
 * to a client which follows the links of each list.
 */
export async function createCursors({ url, toHttp }) {
  const step = 199
  const cursors = []
  for (const where of [{}, { featured: true }, { featured: false }]) {
    for (const sort of orders) {
      let question = { where, sort, cursor: '', limit: step, fields: 'id' }
      for (let skip = 0; question; skip += step) {
        const { headers } = await ask(url, toHttp({ kind: 'list', question }))
        const [, cursor] = /[?&]_cursor=([^&>]+)[^>]*>; rel="?next/.exec(headers.link) ?? []
        if (skip > 0) cursors.push({ where, sort, cursor: question.cursor, skip })
        question = cursor && { ...question, cursor: decodeURIComponent(cursor) }
      }
    }
  }
  const draw = (random) => ({ ...random.pick(cursors), limit: drawLimit(random) })
  return createTraffic(draw, () => 5_000)
}

/**
 * Creates traffic of drawn questions, none of them twice. `toWrites` returns how often a write comes, and its
 * requests, for a number of records, a round and random numbers.
 */
export function createTraffic(draw, lengthOf, toWrites = () => undefined) {
  const asked = new Set()
  const drawNew = (random, count) => {
    for (;;) {
      const question = draw(random, count)
      const key = JSON.stringify(question)
      if (asked.has(key)) continue
      asked.add(key)
      return { kind: 'list', question }
    }
  }
  return (count, round) => {
    const random = createRandom(500 + round)
    const writes = toWrites(count, round, random)
    const length = lengthOf(count) * (round === slices.long ? 4 : 1)
    return repeat(length, (at) => {
      const isWrite = writes && at % writes.every === writes.every - 1
      return isWrite
        ? writes.toRequest(Math.floor(at / writes.every), random)
        : drawNew(random, count)
    })
  }
}

/** Writes: patches of the first half of the records, deletions of records that no other slice deletes. */
function createWrites(count, round) {
  const kept = count / 2
  let doomed = kept + 1 + round * Math.floor(kept / mostSlices)
  const toRequest = (at, random) => {
    if (at % 10 === 8) return { kind: 'post', record: createRecord(random) }
    if (at % 10 === 9) return { kind: 'delete', id: doomed++ }
    return { kind: 'patch', id: random.integer(1, kept), changes: drawChanges(random) }
  }
  return { every: 11, toRequest }
}

function drawCold(random, count) {
  const kind = random.integer(1, 10)
  const featured = random.integer(0, 1) === 1
  const sort = random.pick(orders)
  const limit = drawLimit(random)
  const toQuestion = (where, found) => {
    const pages = Math.max(1, Math.floor(found / limit))
    return { where, sort, page: random.integer(1, pages), limit }
  }
  if (kind <= 4) return toQuestion({ featured }, count / 2)
  if (kind <= 7)
    return toQuestion({ authorId: random.integer(1, authorCount) }, count / authorCount)
  const views = { gte: random.integer(0, mostViews - 1) }
  return toQuestion({ featured, views }, (count / 2) * (1 - views.gte / mostViews))
}

function drawTree(random) {
  const status = random.pick(statuses)
  const views = { gte: random.integer(0, mostViews - 1) }
  const [one, other] = [random.pick(categories), random.pick(categories)]
  return random.pick([
    { or: [{ status, views }, { category: one }] },
    { not: { or: [{ status }, { views }] } },
    { and: [{ or: [{ category: one }, { category: other }] }, { not: { status } }, { views }] },
  ])
}

function drawPhrase(random) {
  return repeat(3, () => random.pick(words)).join(' ')
}

/** 20 on average. */
function drawLimit(random) {
  return random.integer(5, 35)
}
