import { expect, it } from 'vitest'

import { createMock, type Mock } from '../../../../src/index.ts'
import { fc } from '../../../fast-check.ts'

interface Post {
  id: number
  rank: number | null
  userId: number
}
interface User {
  id: number | string
}

const posts = fc.uniqueArray(
  fc.record({
    id: fc.integer({ min: 1, max: 500 }),
    rank: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constant(null)),
    userId: fc.integer({ min: 1, max: 6 }),
  }),
  { selector: ({ id }) => id, maxLength: 40, size: 'max' },
)
const order = fc.constantFrom('', 'rank', '-rank', '-rank,userId', 'userId,-id')
const limit = fc.integer({ min: 1, max: 9 })

async function get(
  mock: Pick<Mock, 'fetch'>,
  path: string,
): Promise<{ value: Post[]; next: string | undefined }> {
  const response = await mock.fetch(new Request(new URL(path, 'http://mock.test')))
  const next = /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
  return { value: (await response.json()) as Post[], next }
}

/** Compares by one field at a time, null last either way, as the contract says in words. */
function byWords(sort: string): (left: Post, right: Post) => number {
  const fields = sort.split(',').filter(Boolean)
  return (left, right) => {
    for (const field of fields) {
      const name = field.replace('-', '') as keyof Post
      const [a, b] = [left[name], right[name]]
      if (a === b) continue
      if (a === null || b === null) return a === null ? 1 : -1
      return field.startsWith('-') ? b - a : a - b
    }
    return 0
  }
}

it('sorts by the documented order, stably', async () => {
  await fc.assert(
    fc.asyncProperty(posts, order, async (records, sort) => {
      const mock = createMock({ fixtures: { posts: records } })
      const { value } = await get(mock, `/posts?_sort=${sort}`)
      expect(value).toEqual(records.toSorted(byWords(sort)))
    }),
  )
})

it('returns every record of the list on exactly one page', async () => {
  await fc.assert(
    fc.asyncProperty(posts, order, limit, async (records, sort, size) => {
      const mock = createMock({ fixtures: { posts: records } })
      const whole = (await get(mock, `/posts?_sort=${sort}`)).value
      for (const start of [
        `_page=1&_limit=${size}`,
        `_start=0&_limit=${size}`,
        `_cursor=&_limit=${size}`,
      ]) {
        const turned: Post[] = []
        let next: string | undefined = `/posts?_sort=${sort}&${start}`
        while (next !== undefined) {
          const page: { value: Post[]; next: string | undefined } = await get(mock, next)
          turned.push(...page.value)
          next = page.next
        }
        expect(turned).toEqual(whole)
      }
    }),
  )
})

it('follows cursors during inserts and deletes, without repeating or skipping a record', async () => {
  const change = fc.record({
    insert: fc.boolean(),
    at: fc.nat(),
    rank: fc.integer({ min: 0, max: 3 }),
  })
  const changes = fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 12, size: 'max' })
  await fc.assert(
    fc.asyncProperty(posts, order, limit, changes, async (records, sort, size, rounds) => {
      const mock = createMock({ fixtures: { posts: records } })
      const gone = new Set<number>()
      const seen: number[] = []
      let next: string | undefined = `/posts?_sort=${sort}&_cursor=&_limit=${size}`
      while (next !== undefined) {
        const page: { value: Post[]; next: string | undefined } = await get(mock, next)
        seen.push(...page.value.map(({ id }) => id))
        next = page.next
        for (const { insert, at, rank } of rounds.shift() ?? []) {
          const all = mock.db.posts.all()
          const target = all[at % Math.max(1, all.length)]
          if (insert) mock.db.posts.insert({ rank, userId: 1 })
          else if (target) gone.add(mock.db.posts.remove(target.id).id)
        }
      }
      expect(new Set(seen).size).toBe(seen.length)
      const stayed = records.map(({ id }) => id).filter((id) => !gone.has(id))
      expect(seen).toEqual(expect.arrayContaining(stayed))
    }),
  )
})

it('embeds the records that a manual join finds', async () => {
  const users = fc
    .uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 6 })
    .map((ids): User[] => ids.map((id) => ({ id: id % 2 === 0 ? String(id) : id })))
  await fc.assert(
    fc.asyncProperty(posts, users, async (records, people) => {
      const mock = createMock({
        fixtures: { posts: [{ id: 999, rank: 0, userId: 99 }, ...records], users: people },
      })
      const all = mock.db.posts.all()
      const parents = (await get(mock, '/posts?_embed=user')).value
      const parentOf = ({ userId }: Post): User | null =>
        people.find(({ id }) => String(id) === String(userId)) ?? null
      expect(parents).toEqual(all.map((post) => ({ ...post, user: parentOf(post) })))
      const children = (await get(mock, '/users?_embed=posts')).value
      const postsOf = ({ id }: User): Post[] =>
        all.filter(({ userId }) => String(userId) === String(id))
      expect(children).toEqual(people.map((user) => ({ ...user, posts: postsOf(user) })))
    }),
  )
})
