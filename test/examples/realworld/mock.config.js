import { defineConfig } from 'fixtura'
import { auth, fields, rewrite, schema } from 'fixtura/behaviours'
import { rest } from 'fixtura/dialects'

import { conduit, endpoints, hiddenOfArticles } from './conduit.js'

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
  id: { articles: 'slug' },
  relations: { comments: { articleId: { to: 'articles', dependent: true } } },
  dialect: rest({
    parameters: { limit: 'limit', start: 'offset' },
    put: 'merge',
    // { "article": { … } }, { "comments": [ … ] }
    record: { $singular: '$record' },
    body: { $singular: '$record' },
    list: { $resource: '$items' },
    removed: null,
    resources: {
      users: { hidden: ['id'] },
      articles: {
        pages: { size: 20, always: true },
        list: { articles: '$items', articlesCount: '$total' },
        hidden: hiddenOfArticles,
        unlisted: ['body'],
      },
      comments: { hidden: ['articleId', 'authorId'] },
    },
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
    users: { unique: { username: { POST: 409, PUT: 422 }, email: { POST: 409, PUT: 422 } } },
  },
  use: [
    // What requests name, and what the mock calls it. Newer articles have higher numbers.
    rewrite({
      '/articles/feed': '/articles?author.following=true',
      '/articles/feed\\?*': '/articles?author.following=true&$1',
      '/articles\\?*tag=*': '/articles?$1tagList=$2',
      '/articles\\?*author=*': '/articles?$1author.username=$2',
      '/articles\\?*favorited=*': '/articles?$1favoritedBy=$2',
      '/articles\\?*': '/articles?_sort=-number&$1',
      '/articles': '/articles?_sort=-number',
      '/articles/:slug/favorite': '/favorites/:slug',
    }),
    conduit(),
    auth({
      word: 'Token',
      known: { ada: 1, grace: 2, alan: 3 },
      by: ['email'],
      paths: { login: '/users/login', logout: false, refresh: false },
      register: 'users',
      me: 'user',
      answer: { user: account },
      protect: ['POST *', 'PUT *', 'DELETE *', 'users', 'GET /articles/feed'],
      // No user has this role: the API removes no users.
      roles: { 'DELETE /users/:id': 'nobody' },
      owners: {
        users: 'id',
        articles: { key: 'authorId', read: 'all' },
        comments: { key: 'authorId', read: 'all' },
      },
    }),
    fields({
      users: {
        required: ['username', 'email', 'password'],
        onEmpty: 'refuse',
        emptyAsNull: ['bio', 'image'],
        defaults: { bio: null, image: null, following: [] },
        readOnly: ['following', 'token'],
      },
      articles: {
        required: ['title', 'description', 'body'],
        onEmpty: 'refuse',
        defaults: { tagList: [], favoritedBy: [] },
        readOnly: [
          'slug',
          'number',
          'authorId',
          'author',
          'favorited',
          'favoritesCount',
          'favoritedBy',
        ],
        timestamps: true,
      },
      comments: {
        required: ['body'],
        onEmpty: 'refuse',
        readOnly: ['authorId', 'author'],
        timestamps: true,
      },
    }),
    schema({
      users: { properties: { username: text, email: text, password: { ...text, minLength: 8 } } },
      articles: {
        properties: {
          title: text,
          description: text,
          body: text,
          tagList: { type: 'array', items: text },
        },
      },
      comments: { properties: { body: text } },
    }),
    endpoints(),
  ],
})
