import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { createManualClock, createMock, type Mock, type MockOptions } from '../../../src/index.ts'
import { contract, type Row, type TableRequest } from '../../faces.ts'
import { example, loadExample } from './example.ts'

type Data = Record<string, unknown>

const { default: config } = (await import(join(example, 'mock.config.js'))) as {
  default: MockOptions<Data>
}

/** The mock of the example, with records as a program gives them and a clock that stands still. */
function createExample(): Mock<Data> {
  const fixtures = Object.fromEntries(
    ['users', 'articles', 'comments'].map((name) => [
      name,
      JSON.parse(readFileSync(join(example, `fixtures/${name}.json`), 'utf8')) as unknown,
    ]),
  )
  return createMock({ ...config, fixtures, clock: createManualClock('2026-02-01') })
}

const now = '2026-02-01T00:00:00.000Z'

/** Makes a request, such as `POST /articles`, of a user of the fixtures or of nobody. */
const by =
  (user?: string) =>
  (request: string, body?: unknown): TableRequest => ({
    request: request.replace(' ', ' /api'),
    ...(user !== undefined && { headers: { Authorization: `Token ${user}` } }),
    ...(body !== undefined && { body }),
  })
const anyone = by()
const ada = by('ada')
const grace = by('grace')
const alan = by('alan')

const failed = (status: number, field: string, text: string): Row[2] => ({
  status,
  body: { errors: { [field]: [text] } },
})
const noToken = failed(401, 'token', 'is missing')
const notFound = (what: string): Row[2] => failed(404, what, 'not found')
const forbidden = (what: string): Row[2] => failed(403, what, 'forbidden')
const blank = (field: string): Row[2] => failed(422, field, "can't be blank")
const taken = (status: number, field: string): Row[2] =>
  failed(status, field, 'has already been taken')

const adaAccount = {
  username: 'ada',
  email: 'ada@example.org',
  bio: 'Writes programs for engines that do not exist yet.',
  image: 'https://example.org/ada.png',
  token: 'ada',
}
const alanAccount = {
  username: 'alan',
  email: 'alan@example.org',
  bio: null,
  image: null,
  token: 'alan',
}
const { email: _email, token: _token, ...adaPublic } = adaAccount
const adaProfile = { ...adaPublic, following: false }
const graceProfile = {
  username: 'grace',
  bio: 'Compiles in her sleep.',
  image: null,
  following: false,
}

const engineListed = {
  slug: 'notes-on-the-engine',
  title: 'Notes on the engine',
  description: 'What it can and cannot do',
  tagList: ['engines', 'history'],
  createdAt: '2026-01-02T08:00:00.000Z',
  updatedAt: '2026-01-02T08:00:00.000Z',
  favorited: false,
  favoritesCount: 2,
  author: adaProfile,
}
const engine = { ...engineListed, body: 'It follows an analysis, and cannot begin one.' }
const mothListed = {
  slug: 'a-moth-in-the-relay',
  title: 'A moth in the relay',
  description: 'The first bug that was found',
  tagList: ['history'],
  createdAt: '2026-01-03T09:30:00.000Z',
  updatedAt: '2026-01-04T10:00:00.000Z',
  favorited: false,
  favoritesCount: 1,
  author: graceProfile,
}
const languagesListed = {
  slug: 'languages-for-people',
  title: 'Languages for people',
  description: 'Why programs should be readable',
  tagList: ['compilers', 'languages'],
  createdAt: '2026-01-05T12:00:00.000Z',
  updatedAt: '2026-01-05T12:00:00.000Z',
  favorited: false,
  favoritesCount: 0,
  author: graceProfile,
}

const edsger = { username: 'edsger', email: 'edsger@example.org', password: 'considered' }
const draft = { title: 'On Strüctüre!', description: 'Short', body: 'Long', tagList: ['b', 'a'] }
const draftPublished = {
  ...draft,
  tagList: ['a', 'b'],
  slug: 'on-structure',
  createdAt: now,
  updatedAt: now,
  favorited: false,
  favoritesCount: 0,
  author: adaProfile,
}

/** A JSON Web Token. */
const signedToken: unknown = expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/)

const accounts: Row[] = [
  [
    'registration makes a user without bio and image',
    anyone('POST /users', { user: edsger }),
    {
      status: 201,
      body: {
        user: {
          username: 'edsger',
          email: 'edsger@example.org',
          bio: null,
          image: null,
          token: signedToken,
        },
      },
    },
  ],
  [
    'registration needs a name',
    anyone('POST /users', { user: { ...edsger, username: '' } }),
    blank('username'),
  ],
  [
    'registration needs an address',
    anyone('POST /users', { user: { ...edsger, email: null } }),
    blank('email'),
  ],
  [
    'registration needs a password',
    anyone('POST /users', { user: { ...edsger, password: '' } }),
    blank('password'),
  ],
  [
    'registration without an envelope says how to send it',
    anyone('POST /users', edsger),
    {
      status: 422,
      body: {
        errors: {
          body: ['Failed to read the body: it has no envelope. Please send {"user":{ … }}.'],
        },
      },
    },
  ],
  [
    'registration refuses a name that is taken',
    anyone('POST /users', { user: { ...edsger, username: 'ada' } }),
    taken(409, 'username'),
  ],
  [
    'registration refuses an address that is taken',
    anyone('POST /users', { user: { ...edsger, email: 'ada@example.org' } }),
    taken(409, 'email'),
  ],
  [
    'registration reports a blank field before a taken one',
    anyone('POST /users', { user: { ...edsger, username: '', email: 'ada@example.org' } }),
    blank('username'),
  ],
  [
    'a registered user can log in',
    [anyone('POST /users', { user: edsger }), anyone('POST /users/login', { user: edsger })],
    { status: 200, body: { user: expect.objectContaining({ username: 'edsger', bio: null }) } },
  ],
  [
    'login returns the user with a token',
    anyone('POST /users/login', { user: { email: 'ada@example.org', password: 'ada-password' } }),
    { status: 200, body: { user: { ...adaAccount, token: signedToken } } },
  ],
  [
    'login refuses a wrong password',
    anyone('POST /users/login', { user: { email: 'ada@example.org', password: 'grace-password' } }),
    failed(401, 'credentials', 'invalid'),
  ],
  [
    'login refuses an unknown address',
    anyone('POST /users/login', { user: { email: 'eve@example.org', password: 'ada-password' } }),
    failed(401, 'credentials', 'invalid'),
  ],
  [
    'login needs an address',
    anyone('POST /users/login', { user: { email: '', password: 'x' } }),
    blank('email'),
  ],
  [
    'login needs a password',
    anyone('POST /users/login', { user: { email: 'ada@example.org' } }),
    blank('password'),
  ],
  [
    'the current user is the user of the token',
    ada('GET /user'),
    { status: 200, body: { user: adaAccount } },
  ],
  ['the current user needs a token', anyone('GET /user'), noToken],
  ['an unknown token is refused', by('eve')('GET /user'), { status: 401 }],
  [
    'an update changes the fields that it sends',
    alan('PUT /user', { user: { bio: 'Halts.', image: 'https://example.org/alan.png' } }),
    {
      status: 200,
      body: { user: { ...alanAccount, bio: 'Halts.', image: 'https://example.org/alan.png' } },
    },
  ],
  [
    'an update is kept',
    [
      alan('PUT /user', { user: { username: 'turing', email: 'turing@example.org' } }),
      alan('GET /user'),
    ],
    {
      status: 200,
      body: { user: { ...alanAccount, username: 'turing', email: 'turing@example.org' } },
    },
  ],
  [
    'an empty bio and an empty image become null',
    ada('PUT /user', { user: { bio: '', image: '' } }),
    { status: 200, body: { user: { ...adaAccount, bio: null, image: null } } },
  ],
  [
    'a bio and an image can be null',
    ada('PUT /user', { user: { bio: null, image: null } }),
    { status: 200, body: { user: { ...adaAccount, bio: null, image: null } } },
  ],
  [
    'an update cannot set the token',
    [ada('PUT /user', { user: { token: 'x', key: 'Token x' } }), ada('GET /user')],
    { status: 200, body: { user: adaAccount } },
  ],
  [
    'a new password counts at the next login',
    [
      ada('PUT /user', { user: { password: 'new-password' } }),
      anyone('POST /users/login', { user: { email: 'ada@example.org', password: 'new-password' } }),
    ],
    { status: 200, body: { user: { ...adaAccount, token: signedToken } } },
  ],
  ['an update needs a token', anyone('PUT /user', { user: { bio: 'x' } }), noToken],
  [
    'an update refuses an empty name',
    ada('PUT /user', { user: { username: '' } }),
    blank('username'),
  ],
  [
    'an update refuses an address of null',
    ada('PUT /user', { user: { email: null } }),
    blank('email'),
  ],
  [
    'an update refuses a password of seven characters',
    ada('PUT /user', { user: { password: '1234567' } }),
    { status: 422 },
  ],
  [
    'an update accepts a password of eight characters',
    ada('PUT /user', { user: { password: '12345678' } }),
    { status: 200 },
  ],
  [
    'an update refuses a name that is taken',
    ada('PUT /user', { user: { username: 'grace' } }),
    taken(422, 'username'),
  ],
  [
    'an update accepts the name that the user has',
    ada('PUT /user', { user: { username: 'ada' } }),
    { status: 200 },
  ],
]

const profiles: Row[] = [
  [
    'a profile needs no token',
    anyone('GET /profiles/ada'),
    { status: 200, body: { profile: adaProfile } },
  ],
  [
    'a profile says whether the user follows it',
    ada('GET /profiles/grace'),
    { status: 200, body: { profile: { ...graceProfile, following: true } } },
  ],
  ['a profile that does not exist is 404', anyone('GET /profiles/eve'), notFound('profile')],
  [
    'following a profile returns it',
    grace('POST /profiles/ada/follow'),
    { status: 200, body: { profile: { ...adaProfile, following: true } } },
  ],
  [
    'following is kept',
    [grace('POST /profiles/ada/follow'), grace('GET /profiles/ada')],
    { status: 200, body: { profile: { ...adaProfile, following: true } } },
  ],
  [
    'unfollowing a profile returns it',
    ada('DELETE /profiles/grace/follow'),
    { status: 200, body: { profile: graceProfile } },
  ],
  [
    'unfollowing is kept',
    [ada('DELETE /profiles/grace/follow'), ada('GET /profiles/grace')],
    { status: 200, body: { profile: graceProfile } },
  ],
  ['following needs a token', anyone('POST /profiles/ada/follow'), noToken],
  ['unfollowing needs a token, also of nobody', anyone('DELETE /profiles/eve/follow'), noToken],
  ['following nobody is 404', ada('POST /profiles/eve/follow'), notFound('profile')],
  ['unfollowing nobody is 404', ada('DELETE /profiles/eve/follow'), notFound('profile')],
]

const lists: Row[] = [
  [
    'articles are listed without bodies, the newest first',
    anyone('GET /articles'),
    {
      status: 200,
      body: { articles: [languagesListed, mothListed, engineListed], articlesCount: 3 },
    },
  ],
  [
    'a list says what the user likes and follows',
    ada('GET /articles?tag=history&author=grace'),
    {
      status: 200,
      body: {
        articles: [
          { ...mothListed, favorited: true, author: { ...graceProfile, following: true } },
        ],
        articlesCount: 1,
      },
    },
  ],
  [
    'articles of a tag',
    anyone('GET /articles?tag=history'),
    { status: 200, body: { articles: [mothListed, engineListed], articlesCount: 2 } },
  ],
  [
    'articles of an unknown tag',
    anyone('GET /articles?tag=hist'),
    { status: 200, body: { articles: [], articlesCount: 0 } },
  ],
  [
    'articles of an author',
    anyone('GET /articles?author=grace'),
    { status: 200, body: { articles: [languagesListed, mothListed], articlesCount: 2 } },
  ],
  [
    'articles that a user likes',
    anyone('GET /articles?favorited=alan'),
    { status: 200, body: { articles: [engineListed], articlesCount: 1 } },
  ],
  [
    'the first page counts all articles',
    anyone('GET /articles?limit=1'),
    { status: 200, body: { articles: [languagesListed], articlesCount: 3 } },
  ],
  [
    'a later page',
    anyone('GET /articles?author=grace&limit=1&offset=1'),
    { status: 200, body: { articles: [mothListed], articlesCount: 2 } },
  ],
  [
    'a page after the last',
    anyone('GET /articles?offset=9'),
    { status: 200, body: { articles: [], articlesCount: 3 } },
  ],
  [
    'a limit that is no number',
    anyone('GET /articles?limit=few'),
    { status: 422, body: { errors: { body: [expect.any(String)] } } },
  ],
  [
    'the feed has the articles of those whom the user follows',
    ada('GET /articles/feed'),
    {
      status: 200,
      body: {
        articles: [
          { ...languagesListed, author: { ...graceProfile, following: true } },
          { ...mothListed, favorited: true, author: { ...graceProfile, following: true } },
        ],
        articlesCount: 2,
      },
    },
  ],
  [
    'the feed has pages',
    alan('GET /articles/feed?limit=1&offset=2'),
    {
      status: 200,
      body: {
        articles: [
          { ...engineListed, favorited: true, author: { ...adaProfile, following: true } },
        ],
        articlesCount: 3,
      },
    },
  ],
  [
    'the feed of a user who follows nobody',
    grace('GET /articles/feed'),
    { status: 200, body: { articles: [], articlesCount: 0 } },
  ],
  ['the feed needs a token', anyone('GET /articles/feed'), noToken],
  [
    'tags are those of all articles',
    anyone('GET /tags'),
    { status: 200, body: { tags: ['engines', 'history', 'compilers', 'languages'] } },
  ],
  [
    'tags have those of a new article',
    [ada('POST /articles', { article: draft }), anyone('GET /tags')],
    { status: 200, body: { tags: ['engines', 'history', 'compilers', 'languages', 'a', 'b'] } },
  ],
]

const articles: Row[] = [
  [
    'an article has its body',
    anyone('GET /articles/notes-on-the-engine'),
    { status: 200, body: { article: engine } },
  ],
  ['an article that does not exist is 404', anyone('GET /articles/nope'), notFound('article')],
  [
    'a new article has a slug, times, its author, and its tags in order',
    ada('POST /articles', { article: draft }),
    { status: 201, body: { article: draftPublished } },
  ],
  [
    'a new article is the first of the list',
    [ada('POST /articles', { article: draft }), anyone('GET /articles?limit=1')],
    {
      status: 200,
      body: { articles: [expect.objectContaining({ slug: 'on-structure' })], articlesCount: 4 },
    },
  ],
  [
    'a new article needs no tags',
    ada('POST /articles', { article: { ...draft, tagList: undefined } }),
    { status: 201, body: { article: { ...draftPublished, tagList: [] } } },
  ],
  [
    'two articles of one title have two slugs',
    [ada('POST /articles', { article: draft }), ada('POST /articles', { article: draft })],
    { status: 201, body: { article: { ...draftPublished, slug: 'on-structure-2' } } },
  ],
  [
    'a new article cannot name its author and favorites',
    ada('POST /articles', {
      article: {
        ...draft,
        authorId: 2,
        author: graceProfile,
        favoritedBy: [2],
        favoritesCount: 9,
        slug: 'mine',
      },
    }),
    { status: 201, body: { article: draftPublished } },
  ],
  ['a new article needs a token', anyone('POST /articles', { article: draft }), noToken],
  [
    'a new article needs a title',
    ada('POST /articles', { article: { ...draft, title: '' } }),
    blank('title'),
  ],
  [
    'a new article needs a description',
    ada('POST /articles', { article: { ...draft, description: '' } }),
    blank('description'),
  ],
  [
    'a new article needs a body',
    ada('POST /articles', { article: { ...draft, body: undefined } }),
    blank('body'),
  ],
  [
    'a new article that is no JSON is refused',
    ada('POST /articles', '{'),
    { status: 422, body: { errors: { body: [expect.any(String)] } } },
  ],
  [
    'an update changes the fields that it sends, and the time',
    ada('PUT /articles/notes-on-the-engine', { article: { body: 'It weaves.' } }),
    { status: 200, body: { article: { ...engine, body: 'It weaves.', updatedAt: now } } },
  ],
  [
    'an update can remove all tags, and is kept',
    [
      ada('PUT /articles/notes-on-the-engine', { article: { tagList: [] } }),
      anyone('GET /articles/notes-on-the-engine'),
    ],
    { status: 200, body: { article: { ...engine, tagList: [], updatedAt: now } } },
  ],
  [
    'tags cannot be null',
    ada('PUT /articles/notes-on-the-engine', { article: { tagList: null } }),
    { status: 422 },
  ],
  ['an update needs a token', anyone('PUT /articles/nope', { article: { body: 'x' } }), noToken],
  [
    'an article of another user cannot be updated',
    grace('PUT /articles/notes-on-the-engine', { article: { body: 'x' } }),
    forbidden('article'),
  ],
  [
    'an update of no article is 404',
    ada('PUT /articles/nope', { article: { body: 'x' } }),
    notFound('article'),
  ],
  [
    'an article can be removed',
    ada('DELETE /articles/notes-on-the-engine'),
    { status: 204, body: '' },
  ],
  [
    'a removed article is 404',
    [ada('DELETE /articles/notes-on-the-engine'), anyone('GET /articles/notes-on-the-engine')],
    notFound('article'),
  ],
  ['a removal needs a token', anyone('DELETE /articles/notes-on-the-engine'), noToken],
  [
    'an article of another user cannot be removed',
    grace('DELETE /articles/notes-on-the-engine'),
    forbidden('article'),
  ],
  ['a removal of no article is 404', ada('DELETE /articles/nope'), notFound('article')],
]

const favorites: Row[] = [
  [
    'an article of another user can be a favorite',
    ada('POST /articles/languages-for-people/favorite'),
    {
      status: 200,
      body: {
        article: {
          ...languagesListed,
          body: 'Write what you mean, and let the compiler find the bits.',
          favorited: true,
          favoritesCount: 1,
          author: { ...graceProfile, following: true },
        },
      },
    },
  ],
  [
    'a favorite counts once, and is kept',
    [
      grace('POST /articles/notes-on-the-engine/favorite'),
      grace('GET /articles/notes-on-the-engine'),
    ],
    { status: 200, body: { article: { ...engine, favorited: true } } },
  ],
  [
    'a favorite can be taken back',
    grace('DELETE /articles/notes-on-the-engine/favorite'),
    { status: 200, body: { article: { ...engine, favoritesCount: 1 } } },
  ],
  [
    'a favorite that is taken back is not in the list of favorites',
    [
      grace('DELETE /articles/notes-on-the-engine/favorite'),
      anyone('GET /articles?favorited=grace'),
    ],
    { status: 200, body: { articles: [], articlesCount: 0 } },
  ],
  ['a favorite needs a token', anyone('POST /articles/nope/favorite'), noToken],
  ['taking a favorite back needs a token', anyone('DELETE /articles/nope/favorite'), noToken],
  [
    'a favorite that does not exist is 404',
    ada('POST /articles/nope/favorite'),
    notFound('article'),
  ],
  [
    'taking back a favorite that does not exist is 404',
    ada('DELETE /articles/nope/favorite'),
    notFound('article'),
  ],
]

const moth = '/articles/a-moth-in-the-relay/comments'
const question = {
  id: 1,
  body: 'Did the moth survive?',
  createdAt: '2026-01-03T10:00:00.000Z',
  updatedAt: '2026-01-03T10:00:00.000Z',
  author: adaProfile,
}
const answer = {
  id: 2,
  body: 'It did not.',
  createdAt: '2026-01-03T10:05:00.000Z',
  updatedAt: '2026-01-03T10:05:00.000Z',
  author: graceProfile,
}

const comments: Row[] = [
  [
    'comments of an article',
    anyone(`GET ${moth}`),
    { status: 200, body: { comments: [question, answer] } },
  ],
  [
    'comments say whom the user follows',
    ada(`GET ${moth}`),
    {
      status: 200,
      body: { comments: [question, { ...answer, author: { ...graceProfile, following: true } }] },
    },
  ],
  [
    'an article without comments',
    anyone('GET /articles/notes-on-the-engine/comments'),
    { status: 200, body: { comments: [] } },
  ],
  ['comments of no article are 404', anyone('GET /articles/nope/comments'), notFound('article')],
  [
    'a new comment has an id, times and its author',
    ada(`POST ${moth}`, { comment: { body: 'Poor thing.' } }),
    {
      status: 201,
      body: {
        comment: { id: 3, body: 'Poor thing.', createdAt: now, updatedAt: now, author: adaProfile },
      },
    },
  ],
  ['a new comment needs a token', anyone(`POST ${moth}`, { comment: { body: 'x' } }), noToken],
  ['a new comment needs a text', ada(`POST ${moth}`, { comment: { body: '' } }), blank('body')],
  [
    'a new comment on no article is 404',
    ada('POST /articles/nope/comments', { comment: { body: 'x' } }),
    notFound('article'),
  ],
  ['a comment can be removed', ada(`DELETE ${moth}/1`), { status: 204, body: '' }],
  [
    'a removed comment is gone, the others stay',
    [ada(`DELETE ${moth}/1`), anyone(`GET ${moth}`)],
    { status: 200, body: { comments: [answer] } },
  ],
  ['removing a comment needs a token', anyone(`DELETE ${moth}/1`), noToken],
  ['a comment of another user cannot be removed', grace(`DELETE ${moth}/1`), forbidden('comment')],
  ['a comment that does not exist is 404', ada(`DELETE ${moth}/9`), notFound('comment')],
  [
    'a comment of another article is 404',
    ada('DELETE /articles/notes-on-the-engine/comments/1'),
    notFound('comment'),
  ],
  ['a comment of no article is 404', ada('DELETE /articles/nope/comments/1'), notFound('article')],
]

const tables = { accounts, profiles, lists, articles, favorites, comments }
for (const [name, rows] of Object.entries(tables)) {
  contract(`the RealWorld API: ${name}`, createExample, rows)
}

it('the configuration loads without a problem', async () => {
  const problems: unknown[] = []
  const mock = await loadExample((problem) => problems.push(problem))
  expect(problems).toEqual([])
  expect(mock.db).toHaveProperty('articles')
})
