import { type Backend, numberOf, type Reply, type Row, serveBackend, sortRows } from './backend.ts'

/** What a list has beside filters. */
const reserved = new Set(['offset', 'limit', 'order_by', 'page'])

function createRows(): Record<'authors' | 'articles' | 'reviews', Row[]> {
  return {
    authors: Array.from({ length: 6 }, (_, at) => ({ id: at + 1, handle: `h${at}` })),
    articles: Array.from({ length: 41 }, (_, at) => ({
      id: 100 + at,
      heading: `Heading ${(at * 13) % 41}`,
      author_id: (at % 6) + 1,
      score: (at * 7) % 19,
      tags: [`t${at % 3}`],
      created_at: `2026-0${1 + (at % 8)}-${String(((at * 7) % 27) + 1).padStart(2, '0')}T10:00:00Z`,
    })),
    reviews: Array.from({ length: 25 }, (_, at) => ({
      id: at + 1,
      article_id: 100 + (at % 8),
      stars: (at % 5) + 1,
    })),
  }
}

/**
 * Serves a back end whose newest articles come first, by offset and limit, with links in the envelope; whose authors
 * are plain lists with links in a header; and whose reviews are below articles alone.
 */
export function serveMagazine(): Promise<Backend> {
  const rows = createRows()
  const newest = sortRows(rows.articles, '-created_at')
  return serveBackend(({ url }) => {
    const [, name = '', id, child] = url.pathname.split('/')
    if (name === 'authors' && id === undefined) return toAuthors(rows.authors, url)
    if (name === 'authors' && child === 'articles') {
      const own = newest.filter((one) => one['author_id'] === Number(id))
      return toItems(own, url)
    }
    if (name === 'articles' && child === 'reviews') {
      const reviews = rows.reviews.filter((one) => one['article_id'] === Number(id))
      return { status: 200, value: { reviews, total: reviews.length } }
    }
    if (name === 'articles' && id === undefined) return toItems(newest, url)
    const known = name === 'authors' || name === 'articles' ? rows[name] : []
    const found = known.find((one) => String(one.id) === id)
    if (!found) {
      const detail = `${name}/${id} does not exist`
      return { status: 404, value: { errors: [{ status: 404, detail }] } }
    }
    return { status: 200, value: name === 'articles' ? { article: found } : found }
  })
}

function toAuthors(authors: readonly Row[], url: URL): Reply {
  const page = numberOf(url, 'page', 1)
  const last = Math.ceil(authors.length / 4)
  const link = (to: number, relation: string): string[] => {
    const target = new URL(url)
    target.searchParams.set('page', String(to))
    return to < 1 || to > last ? [] : [`<${target.href}>; rel="${relation}"`]
  }
  return {
    status: 200,
    value: authors.slice((page - 1) * 4, page * 4),
    headers: { Link: [...link(page + 1, 'next'), ...link(page - 1, 'prev')].join(', ') },
  }
}

function toItems(all: readonly Row[], url: URL): Reply {
  const filters = [...url.searchParams].filter(([name]) => !reserved.has(name))
  const matching = all.filter((one) =>
    filters.every(([name, value]) => [one[name]].flat().map(String).includes(value)),
  )
  const order = url.searchParams.get('order_by')
  const found = order === null ? matching : sortRows(matching, order)
  const offset = numberOf(url, 'offset', 0)
  const limit = numberOf(url, 'limit', 8)
  const items = found.slice(offset, offset + limit)
  const target = new URL(url)
  target.searchParams.set('offset', String(offset + limit))
  target.searchParams.set('limit', String(limit))
  const next = offset + limit < found.length ? target.href : null
  const meta = { offset, limit, count: items.length, total: found.length, next }
  return { status: 200, value: { items, meta } }
}

/** The requests of a browse session. */
export const magazineSession: readonly string[] = [
  '/articles',
  '/articles?offset=8&limit=8',
  '/articles?offset=16',
  '/articles?offset=24&limit=8',
  '/articles?offset=32',
  '/articles?offset=40',
  '/articles?author_id=2',
  '/articles?order_by=-score',
  '/articles?tags=t1',
  '/articles/100',
  '/articles/107',
  '/articles/999',
  '/authors',
  '/authors?page=2',
  '/authors/1',
  '/authors/2/articles',
  '/authors/4/articles?limit=2',
  '/articles/100/reviews',
  '/articles/104/reviews',
  '/articles/140/reviews',
]

/** Questions that the session does not have. */
export const magazineQuestions: readonly string[] = [
  '/articles?limit=5',
  '/articles?limit=12',
  '/articles?offset=5&limit=5',
  '/articles?offset=20&limit=20',
  '/articles?offset=39',
  '/articles?offset=100',
  '/articles?offset=8',
  '/articles?author_id=5',
  '/articles?author_id=1',
  '/articles?author_id=5&limit=3',
  '/articles?author_id=5&offset=3&limit=3',
  '/articles?author_id=99',
  '/articles?order_by=score',
  '/articles?order_by=heading',
  '/articles?order_by=-heading&limit=3',
  '/articles?order_by=heading&offset=10&limit=4',
  '/articles?order_by=created_at',
  '/articles?tags=t2',
  '/articles?tags=t0&limit=4',
  '/articles?tags=t2&author_id=3',
  '/articles?score=7',
  '/articles/101',
  '/articles/103',
  '/articles/120',
  '/articles/139',
  '/articles/140',
  '/articles/777',
  '/articles/141',
  '/authors?page=1',
  '/authors?page=3',
  '/authors/2',
  '/authors/5',
  '/authors/6',
  '/authors/77',
  '/authors/1/articles',
  '/authors/3/articles',
  '/authors/3/articles?offset=2&limit=2',
  '/authors/6/articles?limit=3',
  '/articles/139/reviews',
  '/articles/130/reviews',
]
