import { describe, expect, it } from 'vitest'

import { fields, schema } from '../../../../src/behaviours.ts'
import { type CollectionDb, createMock, type FindOptions } from '../../../../src/index.ts'

type AnyDb = Record<'posts', CollectionDb>

const posts = [
  {
    id: 1,
    title: 'a',
    views: 3,
    author: { name: 'Ada', home: null },
    tags: ['x'],
    comments: [{ by: 'Bob' }, { by: 'Eve', likes: 2 }],
    votes: { ada: 1 },
    meta: null,
    extra: {},
    drafts: [],
  },
  { id: 2, title: 'b', author: { name: 'Bob', home: null }, votes: { bob: 2 } },
]

function createPosts(use: Parameters<typeof createMock>[0]['use'] = []): AnyDb {
  return createMock({ fixtures: { posts }, use }).db
}

describe('a field that no record has had', () => {
  const rows: [options: FindOptions, message: string][] = [
    [
      { where: { titel: 'a' } },
      'has had the field "titel", and no fields() or schema() declares it. Did you mean "title"?',
    ],
    [{ where: { Title: 'a' } }, 'Did you mean "title"?'],
    [
      { where: { rank: { gt: 1 } } },
      'Known: id, title, views, author, tags, comments, votes, meta, extra, drafts.',
    ],
    [{ where: { title: 'a', rank: 1 } }, '"rank"'],
    [{ where: { or: [{ title: 'a' }, { not: { and: [{ auhtor: 'a' }] } }] } }, '"author"?'],
    [
      { where: { 'author.nam': 'Ada' } },
      '"author.nam", and no fields() or schema() declares it. Did you mean "name"?',
    ],
    [{ where: { 'autor.name': 'Ada' } }, 'Did you mean "author"?'],
    [{ where: { 'author.name.first': 'Ada' } }, 'Known: none.'],
    [{ where: { 'comments.likez': 1 } }, 'Did you mean "likes"?'],
    [{ where: { 'comments.0.likez': 1 } }, '"comments.0.likez"'],
    [{ where: { 'title.length': 1 } }, '"title.length"'],
    [{ sort: '-titel' }, 'Did you mean "title"?'],
    [{ sort: 'title, -view' }, 'Did you mean "views"?'],
    [{ sort: ['title', '-view'] }, 'Did you mean "views"?'],
    [{ where: { __proto__x: 1 } }, '"__proto__x"'],
    [{ where: { constructor: 1 } }, '"constructor"'],
  ]

  it.each(rows)('is an error in %j', (options, message) => {
    const { posts: db } = createPosts()
    expect(() => db.find(options)).toThrow(expect.objectContaining({ status: 400 }))
    expect(() => db.find(options)).toThrow(message)
    if (options.where) expect(() => db.count(options)).toThrow(message)
  })

  it('is known once a record has it, and after that record is removed', () => {
    const { posts: db } = createPosts()
    const { id } = db.insert({ rank: 1 }) as { id: number }
    expect(db.find({ where: { rank: 1 }, sort: 'rank' })).toHaveLength(1)
    db.remove(id)
    expect(db.find({ where: { rank: 1 } })).toEqual([])
    db.clear()
    expect(db.find({ where: { title: 'a' } })).toEqual([])
  })
})

describe('find accepts', () => {
  const rows: [title: string, options: FindOptions, count: number][] = [
    ['known fields', { where: { title: 'a' }, sort: ['-views', 'author.name'] }, 1],
    ['the question whether a field exists', { where: { titel: { exists: false } } }, 2],
    ['a field that only one record has', { where: { views: { gt: 1 } } }, 1],
    ['a field in an element of an array', { where: { 'comments.likes': 2 } }, 1],
    ['an index of an array', { where: { 'tags.7': 'x' } }, 0],
    ['any field in null', { where: { 'meta.any': 1 }, sort: 'author.home.street' }, 0],
    ['any field in an empty object', { where: { 'extra.any': 1 } }, 0],
    ['any field in an empty array', { where: { 'drafts.any': 1 } }, 0],
    ['any key of a map', { where: { 'votes.eve': 1 } }, 0],
  ]

  it.each(rows)('%s', (_, options, count) => {
    expect(createPosts().posts.find(options)).toHaveLength(count)
  })

  it('any field in a collection that has never held a record', () => {
    const { db } = createMock({ fixtures: { posts: [] } })
    expect(db.posts.find({ where: { titel: 1 }, sort: 'titel' })).toEqual([])
    db.posts.insert({ title: 'a' })
    expect(() => db.posts.find({ where: { titel: 1 } })).toThrow('Did you mean "title"?')
  })

  it('fields that fields() names', () => {
    const options = { required: ['rank'], defaults: { isDraft: true }, readOnly: ['slug'] }
    const { posts: db } = createPosts([
      fields({ posts: { ...options, unique: ['code'], timestamps: true } }),
    ])
    for (const name of ['rank', 'isDraft', 'slug', 'code', 'createdAt', 'updatedAt']) {
      expect(db.find({ where: { [name]: 1 }, sort: name })).toEqual([])
    }
    expect(() => db.find({ sort: 'createAt' })).toThrow('no record has had the field "createAt"')
  })

  const declared = {
    $defs: { place: { properties: { city: {}, in: { $ref: '#/$defs/place' } } } },
    properties: {
      rank: { type: 'integer' },
      home: { $ref: '#/$defs/place' },
      author: { properties: { email: true } },
      votes: { additionalProperties: { type: 'integer' } },
      comments: { items: { properties: { at: {} } } },
    },
    allOf: [{ properties: { slug: {} } }],
  }

  it.each([
    'rank',
    'home.city',
    'home.in.in.city',
    'author.email',
    'comments.at',
    'comments.0.at',
    'slug',
  ])('the field %s that a schema names', (name) => {
    const { posts: db } = createPosts([schema({ posts: declared })])
    expect(db.find({ sort: name })).toHaveLength(2)
    const where = { [name]: 'none' }
    expect(db.find({ where })).toEqual([])
  })

  it.each(['rnk', 'home.ctiy', 'author.mail', 'comments.when'])(
    'not the field %s that a schema does not name',
    (name) => {
      const { posts: db } = createPosts([schema({ posts: declared })])
      db.insert({ title: 'c', home: { city: 'Bern' } })
      expect(() => db.find({ sort: name })).toThrow('no record has had the field')
    },
  )
})
