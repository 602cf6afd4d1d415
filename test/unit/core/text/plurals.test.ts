import { describe, expect, it } from 'vitest'

import { isPluralOf, singularOf } from '../../../../src/core/text/plurals.ts'

/** Names of collections, as `plural singular`. */
const rows = `
posts post, users user, order-items order-item, cart_items cart_item, categories category, cities city,
people person, children child, women woman, media medium, photos photo, videos video, logos logo,
movies movie, cookies cookie, hoodies hoodie, calories calorie, pies pie, ties tie, puppies puppy,
heroes hero, tomatoes tomato, echoes echo, shoes shoe, toes toe,
boxes box, taxes tax, matches match, caches cache, niches niche, beaches beach, dishes dish,
addresses address, classes class, processes process, houses house, courses course, purchases purchase,
responses response, licenses license, databases database, cases case, leases lease, phrases phrase,
statuses status, viruses virus, bonuses bonus, buses bus, aliases alias, lenses lens, canvases canvas,
leaves leaf, wolves wolf, shelves shelf, halves half, knives knife, lives life, wives wife,
archives archive, olives olive, waves wave, objectives objective,
indices index, vertices vertex, matrices matrix, prices price, services service, devices device,
analyses analysis, crises crisis, theses thesis, criteria criterion, quizzes quiz,
keys key, days day, employees employee, movies/2024 movies/2024`
  .split(',')
  .map((row) => row.trim().split(' '))

describe('singularOf', () => {
  it.each(rows)('of %s is %s', (plural = '', singular = '') => {
    expect(singularOf(plural)).toBe(singular)
  })

  it.each([
    'news',
    'series',
    'species',
    'status',
    'bus',
    'analysis',
    'address',
    'analytics',
    'canvas',
    'lens',
    'alias',
    'sheep',
    'feedback',
    'person',
    'post',
    '',
  ])('returns "%s", which is no plural', (name) => {
    expect(singularOf(name)).toBe(name)
  })

  it.each(rows)('of %s has that plural', (plural = '', singular = '') => {
    expect(isPluralOf(plural, singular)).toBe(true)
  })
})
