import { describe, expect, it } from 'vitest'

import { parentNamed } from '../../../../src/core/text/foreign-keys.ts'

describe('the collection that a key is named after', () => {
  const names = ['authors', 'order-items', 'v1/authors', 'people']

  it.each([
    ['authorId', 'posts', 'authors'],
    ['author_ids', 'posts', 'authors'],
    ['authorId', 'v1/posts', 'v1/authors'],
    ['authorId', 'v2/posts', 'authors'],
    ['orderItemId', 'posts', 'order-items'],
    ['personId', 'posts', 'people'],
    ['editorId', 'posts', undefined],
    ['author', 'posts', undefined],
  ])('%s of %s is %s, also when it is asked for again', (key, child, expected) => {
    expect(parentNamed(key, child, names)).toBe(expected)
    expect(parentNamed(key, child, names)).toBe(expected)
    expect(parentNamed(key, child, [...names])).toBe(expected)
  })

  it.each(['authorId', 'editorId'])('is searched once for all collections with %s', (key) => {
    let searches = 0
    const counted = new Proxy([...names], {
      get(target, property, receiver) {
        if (property === 'filter') searches++
        return Reflect.get(target, property, receiver) as unknown
      },
    })
    parentNamed(key, 'posts', counted)
    const once = searches
    for (let at = 0; at < 100; at++) parentNamed(key, `posts-${at}`, counted)
    expect(searches).toBe(once)
  })
})
