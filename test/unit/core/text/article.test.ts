import { expect, it } from 'vitest'

import { withArticle } from '../../../../src/core/text/article.ts'

it.each([
  'an author',
  'a post',
  'a user',
  'an unknown word',
  'a unit',
  'an uninvited guest',
  'a URL',
  'an update',
  'a one-time password',
  'an event',
  'a European',
  'an hour',
  'a house',
  'an honorary title',
  'an API key',
  'a 用户',
])('%s', (expected) => {
  expect(withArticle(expected.replace(/^an? /, ''))).toBe(expected)
})
