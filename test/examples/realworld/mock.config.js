import { defineConfig } from 'fixtura'
import { auth, schema } from 'fixtura/behaviours'
import { rest } from 'fixtura/dialects'

/** The RealWorld API 2.0 (Conduit): https://docs.realworld.show */
export default defineConfig({
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
      methods: ['POST'],
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
      schema: { properties: { password: { type: 'string', minLength: 8 } } },
    },
    profiles: { view: 'users', id: 'username', actions: { follow: 'followers' } },
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
      filters: { tag: 'tagList', author: 'author.username', favorited: 'favoritedBy.username' },
      actions: { favorite: 'favoritedBy' },
      pages: { size: 20, always: true },
      list: { articles: '$items', articlesCount: '$total' },
      unlisted: ['body'],
      fields: {
        required: ['title', 'description', 'body'],
        onEmpty: 'refuse',
        defaults: { tagList: [], favoritedBy: [] },
        readOnly: ['slug', 'authorId', 'favoritedBy'],
        sorted: ['tagList'],
        timestamps: true,
      },
      schema: { properties: { tagList: { type: 'array', items: { type: 'string' } } } },
    },
    'articles/feed': { view: 'articles', where: { 'author.following': true } },
    comments: {
      relations: { authorId: 'users', articleId: { to: 'articles', dependent: true } },
      owners: { key: 'authorId', read: 'all' },
      embed: 'author',
      hidden: ['articleId', 'authorId'],
      fields: { required: ['body'], onEmpty: 'refuse', readOnly: ['authorId'], timestamps: true },
    },
    tags: { distinct: 'articles.tagList' },
  },
  use: [
    auth({
      word: 'Token',
      known: { ada: 1, grace: 2, alan: 3 },
      by: ['email'],
      paths: { login: '/users/login', logout: false, refresh: false },
      register: 'users',
      me: 'user',
      answer: { user: { '...': '$user.{username,email,bio,image}', token: '$accessToken' } },
      protect: ['POST *', 'PUT *', 'DELETE *', 'GET /articles/feed'],
    }),
    schema(),
  ],
})
