import { randomBytes } from 'node:crypto'

import { type Backend, type Call, numberOf, type Reply, type Row, serveBackend } from './backend.ts'
import { pixel, sortBy } from './rows.ts'

/** The password of the login. */
export const libraryPassword = 'library-password-27'

type Name = 'books' | 'authors' | 'loans' | 'reviews'

const topics = ['Rivers', 'Glass', 'Winter', 'Maps', 'Bridges', 'Bees', 'Salt']
const forms = ['A History of', 'Notes on', 'The Book of', 'Against']

function createRows(): Record<Name, Row[]> {
  const seconds = (at: number): number => 1_767_000_000 + at * 86_400 * 3
  const date = (at: number): string => new Date(seconds(at) * 1000).toISOString().slice(0, 10)
  return {
    authors: Array.from({ length: 9 }, (_, at) => ({
      id: at + 1,
      pen_name: `Author ${String.fromCharCode(73 - at)}`,
      country: ['NO', 'PL', 'PT'][at % 3],
      born: 1930 + at * 7,
    })),
    books: Array.from({ length: 44 }, (_, at) => ({
      id: 201 + at,
      title: `${forms[(at * 3) % 4]} ${topics[(at * 2) % 7]}`,
      author_id: (at % 9) + 1,
      genre: ['essay', 'novel', 'poetry'][(at * 5) % 3],
      price: ((at * 17) % 40) + 4.5,
      pages: 90 + ((at * 61) % 300),
      tags: [topics[(at * 2) % 7]?.toLowerCase(), at % 5 === 0 ? 'rare' : 'common'],
      available: at % 6 !== 2,
      added: seconds(at),
    })),
    loans: Array.from({ length: 31 }, (_, at) => ({
      id: at + 1,
      book_id: 201 + ((at * 7) % 44),
      reader: `reader${at % 5}`,
      from: date(at),
      due: date(at + 7),
      returned: at % 3 === 0 ? null : date(at + 4),
    })),
    reviews: Array.from({ length: 26 }, (_, at) => ({
      id: at + 1,
      book_id: 201 + (at % 12),
      stars: 1 + ((at * 3) % 5),
      text: `Opinion ${at + 1}`,
    })),
  }
}

/** The parameters of lists that are no filter. */
const reserved = new Set(['limit', 'offset', 'order', 'search', 'ids'])

/**
 * Serves a library as one person writes it by hand: bare arrays with `X-Total-Count` and `Link`, offsets, ranges, lists
 * of ids, the newest first, HAL links on books, `{ error }`, and a login with a bearer token.
 */
export function serveLibrary(): Promise<Backend> {
  const rows = createRows()
  const sessions = new Map<string, string>()

  return serveBackend((call) => {
    const { method, url, headers, body = {} } = call
    const [, name = '', id, child] = url.pathname.split('/')
    const token = (headers.authorization ?? '').replace('Bearer ', '')
    if (name === 'session') return toSession(method, token, body)
    if (name === 'health') return { status: 204 }
    if (name === 'stats') return ok(toStats())
    if (method !== 'GET' && !sessions.has(token)) return fail(401, 'please log in')
    if (name === 'books' && id === 'latest') {
      return { status: 302, headers: { Location: `/books/${rows.books.at(-1)?.id}` } }
    }
    if (name === 'books' && id === 'export') return toExport(url)
    if (!Object.hasOwn(rows, name)) return fail(404, 'unknown path')
    const resource = name as Name
    if (id === undefined) return method === 'POST' ? create(resource, call) : list(resource, url)
    const row = rows[resource].find((one) => String(one.id) === id)
    if (!row) return fail(404, `no ${name.slice(0, -1)} with id ${id}`)
    if (child !== undefined) return toChild(resource, row, child, call, sessions.get(token) ?? '')
    if (method === 'GET') return ok(show(resource, row))
    if (method === 'DELETE') {
      rows[resource].splice(rows[resource].indexOf(row), 1)
      return ok({ deleted: row.id })
    }
    const wrong = check(resource, { ...row, ...body })
    if (wrong !== undefined) return fail(400, wrong)
    Object.assign(row, body)
    return ok(show(resource, row))
  })

  function toSession(method: string, token: string, body: Record<string, unknown>): Reply {
    if (method === 'POST') {
      const { username, password } = body
      if (password !== libraryPassword) return fail(401, 'wrong username or password')
      const created = randomBytes(24).toString('hex')
      sessions.set(created, String(username))
      return ok({ token: created, username, librarian: true })
    }
    const username = sessions.get(token)
    if (username === undefined) return fail(401, 'please log in')
    if (method === 'DELETE') {
      sessions.delete(token)
      return { status: 204 }
    }
    return ok({ username, librarian: true })
  }

  function toStats(): object {
    return { books: rows.books.length, open_loans: rows.loans.filter(isOpen).length }
  }

  function toExport(url: URL): Reply {
    if (url.searchParams.get('format') !== 'csv') return fail(400, 'format must be csv')
    const lines = rows.books.slice(0, 6).map(({ id, title }) => `${id};${String(title)}`)
    return {
      status: 200,
      bytes: `${lines.join('\n')}\n`,
      headers: { 'Content-Type': 'text/csv; charset=utf-8' },
    }
  }

  function list(name: Name, url: URL, own = rows[name]): Reply {
    const query = url.searchParams
    const ids = query.get('ids')?.split(',')
    const words = query.get('search')?.toLowerCase()
    const matching = own.filter(
      (row) =>
        (!ids || ids.includes(String(row.id))) &&
        (words === undefined || String(row['title']).toLowerCase().includes(words)) &&
        [...query].every(([key, value]) => reserved.has(key) || matches(row, key, value)),
    )
    const order = query.get('order')
    const sorted =
      order === null
        ? sortBy(matching, 'id', name !== 'authors')
        : sortBy(matching, order.replace('-', ''), order.startsWith('-'))
    const offset = numberOf(url, 'offset', 0)
    const limit = numberOf(url, 'limit', 10)
    const linkTo = (to: number, relation: string): string => {
      const target = new URL(url)
      target.searchParams.set('offset', String(to))
      target.searchParams.set('limit', String(limit))
      return `<${target.href}>; rel="${relation}"`
    }
    const links = [
      ...(offset + limit < sorted.length ? [linkTo(offset + limit, 'next')] : []),
      ...(offset > 0 ? [linkTo(Math.max(0, offset - limit), 'prev')] : []),
    ]
    return {
      ...ok(sorted.slice(offset, offset + limit).map((row) => show(name, row))),
      headers: {
        'X-Total-Count': String(sorted.length),
        ...(links.length > 0 && { Link: links.join(', ') }),
      },
    }
  }

  function create(name: Name, { body = {} }: Call, more: object = {}): Reply {
    if (name === 'authors' || name === 'loans') return fail(405, `${name} cannot be created here`)
    const wrong = check(name, { ...body, ...more })
    if (wrong !== undefined) return fail(400, wrong)
    const id = Math.max(...rows[name].map((one) => one.id)) + 1
    const defaults =
      name === 'books' ? { tags: [], available: true, added: Math.floor(Date.now() / 1000) } : {}
    const row: Row = { id, ...defaults, ...body, ...more }
    rows[name].push(row)
    return { ...ok(show(name, row)), status: 201, headers: { Location: `/${name}/${id}` } }
  }

  function check(name: Name, row: Record<string, unknown>): string | undefined {
    if (name === 'books' && !row['title']) return 'title is required'
    if (name === 'books' && !(Number(row['price']) >= 0)) return 'price must be a positive number'
    if (name === 'books' && !rows.authors.some(({ id }) => id === row['author_id'])) {
      return 'author_id is unknown'
    }
    const stars = Number(row['stars'])
    return name === 'reviews' && !(stars >= 1 && stars <= 5) ? 'stars must be 1 to 5' : undefined
  }

  function toChild(name: Name, row: Row, child: string, call: Call, reader: string): Reply {
    const { method, url } = call
    if (name === 'books' && child === 'cover') {
      return { status: 200, bytes: pixel, headers: { 'Content-Type': 'image/png' } }
    }
    if (name === 'books' && child === 'reviews') {
      if (method === 'POST') return create('reviews', call, { book_id: row.id })
      return list(
        'reviews',
        url,
        rows.reviews.filter((one) => one['book_id'] === row.id),
      )
    }
    if (name === 'authors' && child === 'books') {
      return list(
        'books',
        url,
        rows.books.filter((one) => one['author_id'] === row.id),
      )
    }
    if (name === 'books' && child === 'borrow' && method === 'POST') return borrow(row, reader)
    if (name === 'loans' && child === 'return' && method === 'POST') {
      if (!isOpen(row)) return fail(409, 'loan is already returned')
      row['returned'] = new Date().toISOString().slice(0, 10)
      return ok(row)
    }
    return fail(404, 'unknown path')
  }

  function borrow(book: Row, reader: string): Reply {
    if (book['available'] !== true) return fail(409, 'book is not available')
    book['available'] = false
    const today = new Date().toISOString().slice(0, 10)
    const loan = {
      id: rows.loans.length + 1,
      book_id: book.id,
      reader,
      from: today,
      due: today,
      returned: null,
    }
    rows.loans.push(loan)
    return { status: 201, value: loan }
  }
}

function isOpen(loan: Row): boolean {
  return loan['returned'] === null
}

/** Whether a row has a value: `genre=novel`, `tags=rare`, `price_min=5`, `price_max=9`, `returned=null`. */
function matches(row: Row, key: string, value: string): boolean {
  const [, field = '', bound] = /^(.+)_(min|max)$/.exec(key) ?? []
  if (bound === 'min') return Number(row[field]) >= Number(value)
  if (bound === 'max') return Number(row[field]) <= Number(value)
  return [row[key]].flat().map(String).includes(value)
}

function show(name: Name, row: Row): object {
  if (name !== 'books') return row
  const links = {
    self: { href: `/books/${row.id}` },
    author: { href: `/authors/${String(row['author_id'])}` },
    reviews: { href: `/books/${row.id}/reviews` },
  }
  return { ...row, _links: links }
}

function ok(value: unknown): Reply {
  return { status: 200, value }
}

function fail(status: number, error: string): Reply {
  return { status, value: { error } }
}
