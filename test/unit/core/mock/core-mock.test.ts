import { describe, expect, it } from 'vitest'

import { createManualClock, createMock } from '../../../../src/index.ts'

function shop() {
  return createMock({
    fixtures: { posts: [{ id: 1, title: 'a' }], profile: { theme: 'light' } },
    clock: createManualClock(),
    seed: 1,
  })
}

type Shop = ReturnType<typeof shop>

/** Does something of every kind to a mock. */
async function use(mock: Shop): Promise<void> {
  mock.db.posts.insert({ id: 2, title: 'b' })
  mock.db.posts.remove(1)
  mock.db.profile.update({ theme: 'dark' })
  mock.on('GET', '/posts').fail(500)
  mock.clock.advance?.(1000)
  await mock.fetch('/posts')
}

/** What there is to be seen of a mock. */
function seen({ db, rules, clock, log }: Shop): unknown {
  return [db.posts.all(), db.profile.get(), rules.list().length, clock.now(), log.length]
}

describe('a mock', () => {
  it('goes back to the start', async () => {
    const mock = shop()
    const start = seen(mock)
    await use(mock)
    expect(seen(mock)).not.toEqual(start)
    mock.reset()
    expect(seen(mock)).toEqual(start)
    expect(mock.db.posts.insert({ title: 'c' }).id).toBe(2)
  })

  it('goes back to a snapshot, also behind a reset', () => {
    const mock = shop()
    mock.db.posts.insert({ title: 'b' })
    mock.snapshot('two')
    mock.db.posts.clear()
    mock.reset()
    mock.restore('two')
    expect(mock.db.posts.all().map(({ title }) => title)).toEqual(['a', 'b'])
    mock.db.posts.clear()
    mock.restore('two')
    expect([mock.db.posts.count(), mock.snapshots()]).toEqual([2, ['two']])
    expect(() => mock.restore('tow')).toThrow(
      'Failed to find the snapshot "tow". Did you mean "two"?',
    )
  })

  it('keeps a snapshot without a name, and tells of it', () => {
    const mock = shop()
    const { snapshot, restore } = mock as unknown as Record<string, (name?: string) => void>
    snapshot?.()
    mock.db.posts.clear()
    expect(() => mock.restore('two')).toThrow(
      'Failed to find the snapshot "two". Known: undefined.',
    )
    restore?.()
    expect(mock.db.posts.count()).toBe(1)
  })

  it('has forks that nothing goes to or comes from', async () => {
    const mock = shop()
    await use(mock)
    const before = seen(mock)
    const fork = mock.fork()
    expect(fork.db.posts.all()).toEqual(mock.db.posts.all())
    expect([fork.rules.list().length, fork.log.length]).toEqual([1, 0])
    fork.db.posts.insert({ title: 'c' })
    fork.rules.end()
    await fork.fetch('/posts')
    expect(seen(mock)).toEqual(before)
    mock.db.posts.clear()
    mock.reset()
    expect(fork.db.posts.all().map(({ title }) => title)).toEqual(['b', 'c'])
    expect([fork.rules.list().length, fork.log.length]).toEqual([0, 1])
  })

  it('draws the same ids in every fork, and after a reset', () => {
    const mock = createMock({ fixtures: { notes: [{ id: 'x' }] }, seed: 'notes' })
    const draw = ({ db }: Pick<typeof mock, 'db'>): unknown => db.notes.insert({}).id
    const id = draw(mock)
    expect(id).toMatch(/^[\da-z]{10}$/)
    mock.reset()
    const fork = mock.fork()
    expect([draw(mock), draw(fork)]).toEqual([id, id])
  })

  it('tells its routes as data', () => {
    const mock = createMock({ fixtures: { posts: [{ id: 1 }], profile: {}, 'v1/tags': ['x'] } })
    expect(mock.routes.map(({ path, kind, count }) => [path, kind, count])).toEqual([
      ['/posts', 'collection', 1],
      ['/posts/:id', 'member', 1],
      ['/profile', 'singleton', 1],
      ['/v1/tags', 'document', 1],
    ])
    expect(mock.routes[0]?.methods).toEqual(['GET', 'HEAD', 'QUERY', 'POST', 'OPTIONS'])
    expect(mock.routes[3]?.methods).toEqual(['GET', 'HEAD', 'OPTIONS'])
  })

  it('tells the routes of children, with their methods', () => {
    const fixtures = {
      'blog-posts': [{ id: 1 }],
      comments: [{ id: 1, blogPostId: 1 }],
      tags: [{ id: 1 }],
      labels: [{ id: 1, tagId: 1, blogPostId: 1 }],
    }
    const nested = createMock({ fixtures }).routes.filter(({ parent }) => parent === 'blog-posts')
    const list = ['GET', 'HEAD', 'QUERY', 'POST', 'OPTIONS']
    const member = ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
    expect(nested.map(({ path, resource, methods }) => [path, resource, methods])).toEqual([
      ['/blog-posts/:id/comments', 'comments', list],
      ['/blog-posts/:blogPostId/comments/:id', 'comments', member],
      ['/blog-posts/:id/labels', 'labels', list],
      ['/blog-posts/:blogPostId/labels/:id', 'labels', member],
      // A new tag would belong to no record.
      ['/blog-posts/:id/tags', 'tags', list.filter((method) => method !== 'POST')],
      ['/blog-posts/:blogPostId/tags/:id', 'tags', member],
    ])
  })
})
