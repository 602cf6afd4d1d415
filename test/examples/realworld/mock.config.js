import { defineConfig } from 'fixtura'
import { auth, rewrite, schema } from 'fixtura/behaviours'
import { rest } from 'fixtura/dialects'

import { endpoints, sortTags } from './conduit.js'

const text = { type: 'string' }

/** A user as the user sees it. */
const account = {
  username: '$user.username',
  email: '$user.email',
  bio: '$user.bio',
  image: '$user.image',
  token: '$accessToken',
}

/** The RealWorld API 2.0 (Conduit): https://docs.realworld.show */
export default defineConfig({
  fixtures: ['fixtures'],
  base: '/api',
  dialect: rest({
    parameters: { limit: 'limit', start: 'offset' },
    put: 'merge',
    // { "article": { … } }, { "comments": [ … ] }
    record: { $singular: '$record' },
    body: { $singular: '$record' },
    list: { $resource: '$items' },
    removed: null,
    // { "errors": { "title": ["can't be blank"] } }
    invalid: { errors: '$errorLists' },
    reasons: { required: "can't be blank", 'is taken': 'has already been taken' },
    error: { errors: { body: ['$detail'] } },
    statuses: { 400: 422 },
    errors: {
      401: { errors: { token: ['is missing'] } },
      LOGIN_FAILED: { errors: { credentials: ['invalid'] } },
      403: { errors: { $singular: ['forbidden'] } },
      404: { errors: { $missing: ['not found'] } },
    },
  }),
  resources: {
    users: {
      owners: { key: 'id', read: 'all' },
      methods: ['POST', 'PUT'],
      // A user as others see it.
      hidden: ['id', 'email', 'password', 'followers'],
      computed: { following: { includes: 'followers', viewer: true } },
      unique: { username: { POST: 409, PUT: 422 }, email: { POST: 409, PUT: 422 } },
      fields: {
        required: ['username', 'email', 'password'],
        onEmpty: 'refuse',
        emptyAsNull: ['bio', 'image'],
        defaults: { bio: null, image: null, followers: [] },
        readOnly: ['followers', 'token'],
      },
      schema: {
        properties: { username: text, email: text, password: { ...text, minLength: 8 } },
      },
    },
    articles: {
      id: 'slug',
      slug: 'title',
      relations: { authorId: 'users', favoritedBy: 'users' },
      owners: { key: 'authorId', read: 'all' },
      embed: 'author',
      hidden: ['authorId', 'favoritedBy'],
      computed: {
        favorited: { includes: 'favoritedBy', viewer: true },
        favoritesCount: { count: 'favoritedBy' },
      },
      sort: '-createdAt',
      filters: {
        tag: 'tagList',
        author: 'author.username',
        favorited: 'favoritedBy.username',
        feed: 'author.following',
      },
      actions: {
        'POST favorite': { add: 'favoritedBy', viewer: true, touch: false },
        'DELETE favorite': { remove: 'favoritedBy', viewer: true, touch: false },
      },
      pages: { size: 20, always: true },
      list: { articles: '$items', articlesCount: '$total' },
      unlisted: ['body'],
      fields: {
        required: ['title', 'description', 'body'],
        onEmpty: 'refuse',
        defaults: { tagList: [], favoritedBy: [] },
        readOnly: ['slug', 'authorId', 'favoritedBy'],
        timestamps: true,
      },
      schema: {
        properties: {
          title: text,
          description: text,
          body: text,
          tagList: { type: 'array', items: text },
        },
      },
    },
    comments: {
      relations: { authorId: 'users', articleId: { to: 'articles', dependent: true } },
      owners: { key: 'authorId', read: 'all' },
      embed: 'author',
      hidden: ['articleId', 'authorId'],
      fields: {
        required: ['body'],
        onEmpty: 'refuse',
        readOnly: ['authorId'],
        timestamps: true,
      },
      schema: { properties: { body: text } },
    },
  },
  use: [
    rewrite({
      '/articles/feed': '/articles?feed=true',
      '/articles/feed\\?*': '/articles?feed=true&$1',
    }),
    auth({
      word: 'Token',
      known: { ada: 1, grace: 2, alan: 3 },
      by: ['email'],
      paths: { login: '/users/login', logout: false, refresh: false },
      register: 'users',
      me: 'user',
      answer: { user: account },
      protect: ['POST *', 'PUT *', 'DELETE *', 'GET /articles/feed'],
    }),
    schema(),
    sortTags(),
    endpoints(),
  ],
})
