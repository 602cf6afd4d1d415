import { describe, expect, it } from 'vitest'

import { createMock } from '../../src/index.ts'
import { type Answer, bodyOf, type Connection, faces } from '../faces.ts'

const fixtures = {
  posts: Array.from({ length: 23 }, (_, at) => ({
    id: at + 1,
    title: `Post ${at % 5}`,
    tags: 'a,b',
  })),
  'v1/wide notes': [{ id: 'a' }],
  comments: [{ id: 1, postId: 1 }],
}

/** Runs a test on a mock of its own through one face. */
async function on(name: string, test: (connection: Connection) => Promise<void>): Promise<void> {
  const connection = await faces[name]?.(createMock({ fixtures, base: '/api', seed: 1 }))
  if (!connection) throw new Error(`There is no face "${name}".`)
  try {
    await test(connection)
  } finally {
    await connection.close()
  }
}

/** Follows an absolute URL, as a page of another origin does that passes it to `fetch`. */
function follow(connection: Connection, url: string): Promise<Answer> {
  const { origin, pathname, search } = new URL(url)
  expect(origin).toBe('http://mock.test')
  return connection.send(`GET ${pathname}${search}`)
}

/** Reads `Link` by the grammar of RFC 8288 §3: targets by relation. */
function parseLinks(header: string): Map<string, string> {
  const links = new Map<string, string>()
  let rest = header
  while (rest !== '') {
    const match = /^<([^<>"\s]*)>\s*;\s*rel="([a-z ]+)"\s*(?:,\s*|$)/.exec(rest)
    if (!match) throw new Error(`There is no link at the start of ${JSON.stringify(rest)}.`)
    const [whole, target = '', relations = ''] = match
    for (const relation of relations.split(' ')) links.set(relation, target)
    rest = rest.slice(whole.length)
  }
  return links
}

describe.each(Object.keys(faces))('Location (RFC 9110 §10.2.2) (%s)', (name) => {
  const ids = [
    'plain',
    'a b',
    'a/b',
    'a?b#c',
    'é',
    '%',
    '%2e',
    'a"b',
    '<>',
    '日本',
    '...',
    'a%2Fb',
    '__proto__',
    ';,',
    "it's",
  ]

  it.each(ids)('leads to what was created as %s', (id) =>
    on(name, async (connection) => {
      for (const path of ['/api/posts', '/api/v1/wide%20notes']) {
        const record = { id, title: 'x' }
        const created = await connection.send({ request: `POST ${path}`, body: record })
        expect(created.status).toBe(201)
        const found = await follow(connection, created.headers['location'] ?? '')
        expect(bodyOf(found)).toEqual(record)
      }
    }),
  )

  it('leads to a child below its own collection', () =>
    on(name, async (connection) => {
      const path = '/api/posts/1/comments'
      const created = await connection.send({ request: `POST ${path}`, body: {} })
      const found = await follow(connection, created.headers['location'] ?? '')
      expect(bodyOf(found)).toEqual({ id: 2, postId: 1 })
    }))
})

describe.each(Object.keys(faces))('Link (RFC 8288) (%s)', (name) => {
  const queries = [
    '_page=1&_limit=10',
    '_page=1&_limit=5&_sort=-title,id&title=Post%201&title=Post%202',
    '_page=1&_limit=7&tags=a%2Cb&q=%3C%22%3E',
    '_start=0&_limit=4',
    '_start=0&_end=6&_sort=title',
    '_cursor=&_limit=4&_sort=title',
    '_page=1&_per_page=9',
  ]

  it.each(queries)('leads through all pages of %s', (query) =>
    on(name, async (connection) => {
      const path = `/api/posts?${query}`
      const whole = await connection.send(`GET /api/posts?${withoutPages(query)}`)
      const seen: unknown[] = []
      let next: string | undefined = `http://mock.test${path}`
      while (next !== undefined) {
        const answer: Answer = await follow(connection, next)
        expect(answer.status).toBe(200)
        const body = bodyOf(answer) as unknown[] | { data: unknown[] }
        seen.push(...(Array.isArray(body) ? body : body.data))
        next = parseLinks(answer.headers['link'] ?? '').get('next')
      }
      const expected = bodyOf(whole) as { id: number }[]
      expect(seen).toEqual(expected)
    }),
  )

  it('leads to the first page, the one before and the last', () =>
    on(name, async (connection) => {
      const { headers } = await connection.send('GET /api/posts?_page=2&_limit=10')
      const links = parseLinks(headers['link'] ?? '')
      const ids = async (relation: string): Promise<number | undefined> => {
        const answer = await follow(connection, links.get(relation) ?? '')
        return (bodyOf(answer) as { id: number }[])[0]?.id
      }
      expect(await Promise.all(['first', 'prev', 'next', 'last'].map(ids))).toEqual([1, 1, 21, 21])
    }))

  it('are left out where they are longer than clients take', () =>
    on(name, async (connection) => {
      const search = Array.from({ length: 900 }, (_, at) => `id=${at}`).join('&')
      const answer = await connection.send(`GET /api/posts?_page=1&_limit=5&${search}`)
      expect(answer.headers['link']).toBeUndefined()
      expect(answer.headers['x-total-count']).toBe('23')
    }))
})

function withoutPages(query: string): string {
  return query
    .split('&')
    .filter((part) => !/^_(?:page|limit|per_page|start|end|cursor)=/.test(part))
    .join('&')
}
