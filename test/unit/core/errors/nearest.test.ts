import { describe, expect, it } from 'vitest'

import { nearestOrPrefix, nearest, suggest } from '../../../../src/core/errors/nearest.ts'

const names = ['posts', 'comments', 'users', 'orderItems']

describe('the nearest name', () => {
  it.each([
    ['differs in case', 'Posts', 'posts'],
    ['lacks a letter', 'poss', 'posts'],
    ['has an additional letter', 'postss', 'posts'],
    ['has a different letter', 'pasts', 'posts'],
    ['has two adjacent letters swapped', 'psots', 'posts'],
    ['differs by more letters if it is long', 'ordrItms', 'orderItems'],
    ['is undefined if two letters of a short name differ', 'pasta', undefined],
    ['is undefined if letters are far from their position', 'stops', undefined],
    ['is undefined for an empty name', '', undefined],
  ])('%s', (_, name, expected) => {
    expect(nearest(name, names)).toBe(expected)
  })

  it('is the first of equally near names', () => {
    expect(nearest('cat', ['bat', 'car', 'cats'])).toBe('bat')
    expect(nearest('cats', ['bats', 'cats'])).toBe('cats')
  })
})

describe('the nearest name or prefix', () => {
  it.each([
    ['starts with the given name', 'comm', 'comments'],
    ['is undefined for a short prefix', 'co', undefined],
  ])('%s', (_, name, expected) => {
    expect(nearestOrPrefix(name, names)).toBe(expected)
  })
})

describe('a suggestion', () => {
  it.each([
    ['names the nearest name', 'user', names, 'Did you mean "users"?'],
    [
      'lists all names if no name is near',
      'xyz',
      names,
      'Known: posts, comments, users, orderItems.',
    ],
    ['says that no name is known', 'xyz', [], 'Known: none.'],
    ['names no short name for a long name', 'x'.repeat(300), ['posts'], 'Known: posts.'],
    [
      'lists the first hundred names',
      'xyz',
      Array.from({ length: 250 }, (_, at) => `n${at}`),
      `Known: ${Array.from({ length: 100 }, (_, at) => `n${at}`).join(', ')} …`,
    ],
  ])('%s', (_, name, known, expected) => {
    expect(suggest(name, known)).toBe(expected)
  })
})
