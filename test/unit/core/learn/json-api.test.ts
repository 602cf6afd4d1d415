import { describe, expect, it } from 'vitest'

import type { Json } from '../../../../src/core/json/json.ts'
import { configOf, dataOf, learn, type Short } from './exchanges.ts'

const read = (path: string, json: Json): Short => [
  `GET ${path}`,
  json,
  { headers: [['Content-Type', 'application/vnd.api+json']] },
]
const link = (type: string, ...ids: string[]): Json => ({ data: ids.map((id) => ({ type, id })) })
const article = (id: string, relationships: Json): Json => ({
  type: 'articles',
  id,
  attributes: { title: `Article ${id}` },
  relationships,
})
const comment = (id: string): Json => ({
  type: 'comments',
  id,
  attributes: { body: 'x' },
  relationships: { article: { data: { type: 'articles', id: '1' } } },
})
const list = read('/articles', {
  data: [article('1', { comments: link('comments', '5') }), article('2', {})],
})

describe('documents of JSON:API', () => {
  it('become records with attributes and the keys of to-one relationships', () => {
    const learned = learn([list, read('/comments', { data: [comment('5')] })])
    expect(dataOf(learned)).toEqual({
      articles: [
        { id: 1, title: 'Article 1' },
        { id: 2, title: 'Article 2' },
      ],
      comments: [{ id: 5, body: 'x', articleId: 1 }],
    })
    expect(configOf(learned)).toEqual({ dialect: 'json-api' })
  })

  it('have no keys of related resources that no response has shown yet', () => {
    expect(dataOf(learn([list]))['articles']).toContainEqual({ id: 1, title: 'Article 1' })
  })

  it('show included resources, and lists of keys without a way back', () => {
    const tag = { type: 'tags', id: 'a', attributes: { label: 'A' } }
    const learned = learn([
      read('/v1/articles/1', {
        data: article('1', { labels: link('tags', 'a') }),
        included: [tag],
      }),
      read('/v1/articles', { data: [article('2', { labels: link('tags') })] }),
    ])
    expect(dataOf(learned)).toMatchObject({
      articles: [
        { id: 2, labelIds: [] },
        { id: 1, labelIds: ['a'] },
      ],
      tags: [{ id: 'a', label: 'A' }],
    })
    expect(configOf(learned)).toEqual({
      base: '/v1',
      dialect: 'json-api',
      resources: { articles: { relations: { labelIds: 'tags' } } },
    })
  })
})
