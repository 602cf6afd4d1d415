import { describe, expect, it } from 'vitest'

import { nearestOrPrefix, nearest, suggest } from '../../../../src/core/errors/nearest.ts'

const names = ['posts', 'comments', 'users', 'orderItems']

describe('the nearest name', () => {
  it.each([
    ['is the one that is written otherwise', 'Posts', 'posts'],
    ['lacks a letter', 'poss', 'posts'],
    ['has one more', 'postss', 'posts'],
    ['has another', 'pasts', 'posts'],
    ['has two neighbours swapped', 'psots', 'posts'],
    ['may differ by more where it is long', 'ordrItms', 'orderItems'],
    ['is none where two letters of a short one differ', 'pasta', undefined],
    ['is none where letters are far from their place', 'stops', undefined],
    ['is none for nothing', '', undefined],
  ])('%s', (_, name, expected) => {
    expect(nearest(name, names)).toBe(expected)
  })

  it('is the first of those that are as near', () => {
    expect(nearest('cat', ['bat', 'car', 'cats'])).toBe('bat')
    expect(nearest('cats', ['bats', 'cats'])).toBe('cats')
  })
})

describe('the name that is meant', () => {
  it.each([
    ['begins with what was written', 'comm', 'comments'],
    ['is none where too little was written', 'co', undefined],
  ])('%s', (_, name, expected) => {
    expect(nearestOrPrefix(name, names)).toBe(expected)
  })
})

describe('a suggestion', () => {
  it.each([
    ['names the nearest', 'user', names, 'Did you mean "users"?'],
    ['names all where none is near', 'xyz', names, 'Known: posts, comments, users, orderItems.'],
    ['says that there is none', 'xyz', [], 'There is none.'],
  ])('%s', (_, name, known, expected) => {
    expect(suggest(name, known)).toBe(expected)
  })
})
