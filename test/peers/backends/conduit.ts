import type { CollectionDb } from 'fixtura'
import { serve } from 'fixtura/node'

import { loadExample } from '../realworld/example.ts'
import type { Backend } from './backend.ts'
import type { Style } from './yardstick.ts'

const tags = ['engines', 'history', 'languages', 'compilers']

/** Serves the example of the RealWorld API with 27 more articles and their comments, as if it were the real API. */
async function serveConduit(): Promise<Backend> {
  const mock = await loadExample()
  const { articles, comments } = mock.db as Record<string, CollectionDb>
  for (let at = 0; at < 27; at++) {
    const tag = tags[at % tags.length] ?? 'letters'
    const time = new Date(Date.UTC(2026, 1, 1 + at, 9)).toISOString()
    const slug = `letter-${at}`
    articles?.insert({
      slug,
      title: `Letter ${at}`,
      description: `About ${tag}`,
      body: `This is letter ${at}.`,
      tagList: at % 3 === 0 ? [tag, 'letters'] : [tag],
      createdAt: time,
      updatedAt: time,
      authorId: 1 + (at % 3),
      favoritedBy: [1, 2, 3].slice(0, at % 4),
    })
    comments?.insert({
      body: `I have read letter ${at}.`,
      createdAt: time,
      updatedAt: time,
      articleId: slug,
      authorId: 1 + ((at + 1) % 3),
    })
  }
  const { url, close } = await serve(mock, { port: 0 })
  return { origin: new URL(url).origin, close }
}

const login = { user: { email: 'ada@example.org', password: 'ada-password' } }
const article = {
  title: 'On loops',
  description: 'Round and round',
  body: 'A loop ends.',
  tagList: ['engines'],
}

/** The RealWorld API, with the requests of its front ends. */
export const conduit: Style = {
  name: 'RealWorld',
  serve: serveConduit,
  headers: { Authorization: 'Token {login.user.token}' },
  session: [
    'GET /api/articles',
    'GET /api/tags',
    ['POST /api/users/login', { user: { ...login.user, password: 'wrong' } }],
    ['POST /api/users/login', login, { as: 'login' }],
    'GET /api/user',
    'GET /api/articles?limit=10&offset=0',
    'GET /api/articles?limit=10&offset=10',
    'GET /api/articles?limit=10&offset=20',
    'GET /api/articles?limit=20&offset=20',
    'GET /api/articles/feed',
    'GET /api/articles/feed?limit=5&offset=5',
    'GET /api/articles?tag=history',
    'GET /api/articles?tag=letters&limit=5',
    'GET /api/articles?author=ada',
    'GET /api/articles?author=grace&limit=5&offset=5',
    'GET /api/articles?favorited=ada',
    'GET /api/articles?tag=nothing',
    'GET /api/articles/letter-3',
    'GET /api/articles/letter-7',
    'GET /api/articles/letter-26',
    'GET /api/articles/a-moth-in-the-relay',
    'GET /api/articles/missing',
    'GET /api/articles/letter-3/comments',
    'GET /api/articles/letter-7/comments',
    'GET /api/articles/letter-12/comments',
    'GET /api/articles/a-moth-in-the-relay/comments',
    'GET /api/articles/languages-for-people/comments',
    'GET /api/profiles/ada',
    'GET /api/profiles/grace',
    'GET /api/profiles/alan',
    'GET /api/profiles/nobody',
    ['POST /api/articles', { article: { ...article, title: '' } }],
    ['POST /api/articles', { article: { title: 'Only a title' } }],
    ['POST /api/articles', { article }, { as: 'article' }],
    'GET /api/articles/{article.article.slug}',
    'GET /api/articles?author=ada',
    ['PUT /api/articles/{article.article.slug}', { article: { description: 'Once more' } }],
    ['PUT /api/articles/letter-7', { article: { body: 'Not mine.' } }],
    'GET /api/articles/{article.article.slug}',
    ['POST /api/articles/letter-4/favorite'],
    'GET /api/articles/letter-4',
    ['DELETE /api/articles/letter-7/favorite'],
    'GET /api/articles/letter-7',
    ['POST /api/articles/letter-9/comments', { comment: { body: '' } }],
    [
      'POST /api/articles/letter-9/comments',
      { comment: { body: 'Well said.' } },
      { as: 'comment' },
    ],
    'GET /api/articles/letter-9/comments',
    ['DELETE /api/articles/letter-9/comments/{comment.comment.id}'],
    'GET /api/articles/letter-9/comments',
    ['DELETE /api/articles/letter-3/comments/6'],
    ['POST /api/profiles/alan/follow'],
    'GET /api/profiles/alan',
    ['DELETE /api/profiles/alan/follow'],
    'GET /api/profiles/alan',
    ['PUT /api/user', { user: { email: '' } }],
    ['PUT /api/user', { user: { bio: 'Counts.' } }],
    'GET /api/user',
    ['PUT /api/user', { user: { bio: 'Writes programs for engines that do not exist yet.' } }],
    ['DELETE /api/articles/letter-6'],
    'GET /api/articles/letter-6',
    ['DELETE /api/articles/letter-7'],
    ['DELETE /api/articles/{article.article.slug}'],
    'GET /api/articles/{article.article.slug}',
    [
      'POST /api/users',
      { user: { username: 'ada', email: 'a@example.org', password: 'long-enough' } },
    ],
    ['POST /api/users', { user: { username: 'kay', email: 'kay@example.org', password: 'short' } }],
    [
      'POST /api/users',
      { user: { username: 'kay', email: 'kay@example.org', password: 'long-enough' } },
    ],
    'GET /api/articles?limit=10&offset=0',
    'GET /api/tags',
  ],
  questions: [
    'GET /api/articles?limit=5&offset=0',
    'GET /api/articles?limit=5&offset=5',
    'GET /api/articles?limit=7&offset=14',
    'GET /api/articles?limit=20&offset=0',
    'GET /api/articles?offset=28',
    'GET /api/articles?limit=3',
    'GET /api/articles?tag=engines',
    'GET /api/articles?tag=languages&limit=3',
    'GET /api/articles?tag=compilers&limit=3&offset=3',
    'GET /api/articles?author=alan',
    'GET /api/articles?author=grace',
    'GET /api/articles?author=grace&limit=2&offset=2',
    'GET /api/articles?author=nobody',
    'GET /api/articles?tag=history&author=alan',
    'GET /api/articles/feed?limit=3',
    'GET /api/articles/letter-0',
    'GET /api/articles?tag=letters&limit=2&offset=2',
    'GET /api/articles?favorited=grace',
    'GET /api/articles?limit=4&offset=8',
    'GET /api/articles?author=alan&limit=3',
    'GET /api/articles/languages-for-people',
    'GET /api/articles/nope',
    'GET /api/articles/nope/comments',
    'GET /api/profiles/unknown',
    ['POST /api/articles', { article: { ...article, body: '' } }],
    ['POST /api/articles', { article: { ...article, title: 'On forks' } }],
    'GET /api/articles/on-forks',
    'GET /api/articles?limit=3&offset=0',
    'GET /api/articles?author=ada&limit=2',
    ['PUT /api/articles/letter-12', { article: { body: 'Shorter.' } }],
    'GET /api/articles/letter-12',
    ['PUT /api/articles/letter-13', { article: { body: 'Not mine.' } }],
    ['POST /api/articles/letter-20/favorite'],
    'GET /api/articles/letter-20',
    ['POST /api/articles/letter-21/comments', { comment: { body: 'Thanks.' } }],
    ['POST /api/articles/letter-21/comments', { comment: { body: '' } }],
    ['POST /api/profiles/grace/follow'],
    ['DELETE /api/articles/letter-15'],
    'GET /api/articles/letter-15',
    ['DELETE /api/articles/letter-16'],
  ],
}
