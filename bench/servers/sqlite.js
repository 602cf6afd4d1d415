// SQLite in memory behind a bare `node:http` server: `node sqlite.js db.json --port N --indexes JSON --texts JSON
// [--driver path] [--uncounted]` serves posts with prepared statements. A record is kept as its JSON text beside the columns that
// filters and orders read, so that a page is a concatenation. `texts` are full-text tables: `words` over all texts
// of a record, `fragments` of three characters over its title. The driver is `node:sqlite`, or better-sqlite3;
// `--uncounted` leaves the number of all matches out, which Fixtura counts for every page.

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    port: { type: 'string' },
    indexes: { type: 'string' },
    texts: { type: 'string' },
    driver: { type: 'string' },
    uncounted: { type: 'boolean', default: false },
  },
})
const texts = new Set(JSON.parse(values.texts))
const columns = [
  'title',
  'status',
  'category',
  'views',
  'price',
  'createdAt',
  'featured',
  'authorId',
]
const { prepare, execute } = values.driver ? openBetterSqlite3() : await openNodeSqlite()

execute(`CREATE TABLE posts (id INTEGER PRIMARY KEY, ${columns.join(', ')}, json TEXT)`)
execute('CREATE TABLE comments (id INTEGER PRIMARY KEY, postId, json TEXT)')
if (texts.has('words')) execute(`CREATE VIRTUAL TABLE words USING fts5(text, content='')`)
if (texts.has('fragments'))
  execute(`CREATE VIRTUAL TABLE fragments USING fts5(text, content='', tokenize='trigram')`)
const insertPost = prepare(
  `INSERT INTO posts (id, ${columns.join(', ')}, json) VALUES (?, ${columns.map(() => '?').join(', ')}, ?)`,
)
const insertComment = prepare('INSERT INTO comments (id, postId, json) VALUES (?, ?, ?)')
const insertWords = texts.has('words') && prepare('INSERT INTO words (rowid, text) VALUES (?, ?)')
const insertFragments =
  texts.has('fragments') && prepare('INSERT INTO fragments (rowid, text) VALUES (?, ?)')

const { posts, comments } = JSON.parse(readFileSync(positionals[0], 'utf8'))
let highest = 0
execute('BEGIN')
for (const post of posts) insert(post)
for (const one of comments) insertComment.run(one.id, one.postId, JSON.stringify(one))
for (const [at, list] of JSON.parse(values.indexes).entries())
  execute(`CREATE INDEX posts${at} ON posts (${list})`)
execute('CREATE INDEX byPost ON comments (postId)')
execute('COMMIT')
execute('ANALYZE')

const one = prepare('SELECT json FROM posts WHERE id = ?')
const commentsOf = prepare('SELECT json FROM comments WHERE postId = ? ORDER BY id')
const statements = new Map()
const type = { 'Content-Type': 'application/json; charset=utf-8' }

createServer((request, response) => {
  const [path, search] = request.url.split('?')
  if (request.method === 'POST') return create(request, response)
  if (path !== '/posts') return send(response, 200, {}, one.get(path.slice(7)))
  const { body, total } = list(new URLSearchParams(search))
  send(response, 200, total === undefined ? {} : { 'X-Total-Count': total }, body)
}).listen(Number(values.port), '127.0.0.1')
process.once('SIGTERM', () => process.exit())

function send(response, status, headers, body) {
  const length = Buffer.byteLength(body)
  response.writeHead(status, { ...headers, ...type, 'Content-Length': length }).end(body)
}

function create(request, response) {
  let text = ''
  request.setEncoding('utf8')
  request.on('data', (chunk) => (text += chunk))
  request.once('end', () => {
    const json = insert({ id: highest + 1, ...JSON.parse(text) })
    send(response, 201, { Location: `/posts/${highest}` }, json)
  })
}

function insert(post) {
  const json = JSON.stringify(post)
  const cells = columns.map((name) => toCell(post[name]))
  insertPost.run(post.id, ...cells, json)
  if (insertWords) insertWords.run(post.id, Object.values(post).map(textOf).join('\n'))
  if (insertFragments) insertFragments.run(post.id, post.title)
  highest = Math.max(highest, post.id)
  return json
}

function textOf(value) {
  return typeof value === 'object' ? Object.values(value).map(textOf).join('\n') : String(value)
}

function list(params) {
  const operands = []
  const conditions = []
  let from = 'posts'
  let sort = 'id'
  let limit = 20
  let page = 1
  let embeds = false
  let after
  for (const [name, value] of params) {
    if (name === '_limit') limit = Number(value)
    else if (name === '_page') page = Number(value)
    else if (name === '_embed') embeds = true
    else if (name === '_after') after = JSON.parse(value)
    else if (name === '_where') conditions.push(toCondition(JSON.parse(value), operands))
    else if (name === '_sort') sort = value
    else if (name === 'q' || name.endsWith('_contains')) {
      const table = name === 'q' ? 'words' : 'fragments'
      from = `${table} JOIN posts ON posts.id = ${table}.rowid`
      conditions.push(`${table} MATCH ?`)
      operands.push(`"${value}"`)
    } else {
      const [field, operator = 'eq'] = name.split('_')
      conditions.push(toCondition({ [field]: { [operator]: parse(value) } }, operands))
    }
  }
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : ''
  const [counted] = from.split(' ')
  const total = values.uncounted
    ? undefined
    : statement(`SELECT count(*) FROM ${counted} ${where}`).get(...operands)
  const field = sort.replace('-', '')
  const isDescending = sort !== field
  const seek = after
    ? ` AND (${field} ${isDescending ? '<' : '>'}= ? AND (${field} <> ? OR id > ?))`
    : ''
  const orderBy = sort === 'id' ? `${counted}.rowid` : `${field} ${isDescending ? 'DESC' : ''}, id`
  const found = statement(
    `SELECT json${embeds ? ', id' : ''} FROM ${from} ${where}${seek} ORDER BY ${orderBy} LIMIT ? OFFSET ?`,
  )
  const last = after ? [after[0], ...after] : []
  const bounds = [limit, after ? 0 : (page - 1) * limit]
  const rows = found.all(...operands, ...last, ...bounds)
  return { body: `[${(embeds ? rows.map(withComments) : rows).join()}]`, total }
}

function withComments([json, id]) {
  return `${json.slice(0, -1)},"comments":[${commentsOf.all(id).join()}]}`
}

/** The SQL of a tree of conditions; appends its operands. */
function toCondition(tree, operands) {
  const parts = Object.entries(tree).map(([name, value]) => {
    if (name === 'not') return `NOT (${toCondition(value, operands)})`
    if (Array.isArray(value))
      return `(${value.map((one) => `(${toCondition(one, operands)})`).join(` ${name} `)})`
    const [[operator, operand]] = Object.entries(typeof value === 'object' ? value : { eq: value })
    operands.push(toCell(operand))
    return `${name} ${operator === 'gte' ? '>=' : '='} ?`
  })
  return parts.join(' AND ')
}

function parse(text) {
  return /^(true|false|[\d.]+)$/.test(text) ? JSON.parse(text) : text
}

function toCell(value) {
  return typeof value === 'boolean' ? Number(value) : value
}

function statement(sql) {
  return statements.get(sql) ?? statements.set(sql, prepare(sql)).get(sql)
}

/** `get` and `all` return the only column of rows as values, and several as arrays. */
async function openNodeSqlite() {
  const { DatabaseSync } = await import('node:sqlite')
  const db = new DatabaseSync(':memory:')
  const prepare = (sql) => {
    const prepared = db.prepare(sql)
    prepared.setReturnArrays(true)
    const isOne = prepared.columns().length === 1
    return {
      run: (...given) => prepared.run(...given),
      get: (...given) => prepared.get(...given)[0],
      all: (...given) => {
        const rows = prepared.all(...given)
        return isOne ? rows.map(([value]) => value) : rows
      },
    }
  }
  return { prepare, execute: (sql) => db.exec(sql) }
}

function openBetterSqlite3() {
  const Database = createRequire(import.meta.url)(values.driver)
  const db = new Database(':memory:')
  const prepare = (sql) => {
    const prepared = db.prepare(sql)
    if (!prepared.reader) return prepared
    return prepared.columns().length === 1 ? prepared.pluck() : prepared.raw()
  }
  return { prepare, execute: (sql) => db.exec(sql) }
}
