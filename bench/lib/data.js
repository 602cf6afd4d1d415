// Creates the databases of the rows. The same seed gives the same records, about 500 bytes each.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const statuses = ['draft', 'review', 'published', 'archived', 'deleted']
export const categories = Array.from({ length: 50 }, (_, index) => `category-${pad(index, 2)}`)
/** The maximum of `views`, which are evenly distributed integers from 0. */
export const mostViews = 100_000
/** The number of authors, whose ids are the values of `authorId`. */
export const authorCount = 1_000

export const words = (
  'amber basin candle delta ember fjord garden harbour island juniper kettle lantern meadow north ' +
  'orchard pebble quarry river saddle timber umber valley willow yarrow zephyr anchor beacon cedar'
).split(' ')

/** Creates a number of records with ids from 1. */
export function createRecords(count, random = createRandom(1), vocabulary = words) {
  return Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    ...createRecord(random, vocabulary),
  }))
}

/**
 * Creates words of three syllables, of which no two have a common part of a word's length. Records have the first
 * of them most often.
 */
export function createVocabulary() {
  const consonants = 'bdfgklmnprst'.split('')
  const syllables = consonants.flatMap((one) => ['a', 'e', 'i', 'o'].map((other) => one + other))
  const random = createRandom(3)
  const drawn = Array.from({ length: 8_000 }, () =>
    Array.from({ length: 3 }, () => random.pick(syllables)).join(''),
  )
  // A search for a part of another value would find more than words.
  return [...new Set(drawn)].filter((word) => !statuses.some((status) => status.includes(word)))
}

/** Creates a record without an id. */
export function createRecord(random, vocabulary = words) {
  const pick = () => (vocabulary === words ? random.pick(words) : pickOften(random, vocabulary))
  const toText = (length) => Array.from({ length }, pick).join(' ')
  const name = `${pick()} ${pick()}`
  const at = 1_700_000_000_000 + random.integer(0, 50_000_000) * 1000
  return {
    title: `${toText(3)} ${random.integer(1, 1e6)}`,
    body: toText(30),
    status: random.pick(statuses),
    category: random.pick(categories),
    views: random.integer(0, mostViews),
    price: random.integer(100, 99_999) / 100,
    createdAt: new Date(at).toISOString(),
    author: { name, email: `${name.replace(' ', '.')}@mail.example` },
    tags: [pick(), pick()],
    featured: random.integer(0, 1) === 1,
    authorId: random.integer(1, authorCount),
  }
}

/** Creates comments, by default as many as there are records, and the authors of both. */
export function createRelated(count, { comments = count, random = createRandom(2) } = {}) {
  return {
    comments: Array.from({ length: comments }, (_, index) => ({
      id: index + 1,
      postId: random.integer(1, count),
      authorId: random.integer(1, authorCount),
      body: toText(random, 12),
    })),
    authors: Array.from({ length: authorCount }, (_, index) => ({
      id: index + 1,
      name: `${random.pick(words)} ${random.pick(words)}`,
    })),
  }
}

/** Writes a database file with a number of records, and related ones, to the folder; returns its path. */
export function writeDatabase(folder, count, related = {}) {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `${['db', count, ...Object.keys(related)].join('-')}.json`)
  writeFileSync(file, JSON.stringify({ posts: createRecords(count), ...related }))
  return file
}

/** Writes a database file with records of a vocabulary, their comments and authors; returns its path. */
export function writeCatalogue(folder, count, related, vocabulary) {
  const file = join(folder, `catalogue-${count}.json`)
  const posts = createRecords(count, createRandom(1), vocabulary)
  writeFileSync(file, JSON.stringify({ posts, ...createRelated(count, related) }))
  return file
}

/** Writes a folder of files with ten records each, one of them `posts.json`; returns its path. */
export function writeFiles(folder, count) {
  const path = join(folder, `files-${count}`)
  mkdirSync(path, { recursive: true })
  const random = createRandom(1)
  for (let file = 0; file < count; file++) {
    const name = file === 0 ? 'posts' : `resource-${file}`
    writeFileSync(join(path, `${name}.json`), JSON.stringify(createRecords(10, random)))
  }
  return path
}

/** The random generator Mulberry32 with functions for integers and list items. */
export function createRandom(seed) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296
  }
  const integer = (least, most) => least + Math.floor(next() * (most - least + 1))
  return { integer, pick: (list) => list[integer(0, list.length - 1)] }
}

/** Picks an item, the first ones most often: half of the picks are from the first eighth. */
function pickOften(random, list) {
  const share = random.integer(0, 999_999) / 1_000_000
  return list[Math.floor(share ** 3 * list.length)]
}

function toText(random, count) {
  return Array.from({ length: count }, () => random.pick(words)).join(' ')
}

function pad(number, digits) {
  return String(number).padStart(digits, '0')
}
