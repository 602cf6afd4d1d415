import type { Backend } from './backend.ts'
import { serveCap } from './cap.ts'
import { serveDjango } from './django.ts'
import { serveJsonServer } from './json-server.ts'
import { serveLaravel } from './laravel.ts'

/** A request: `GET /path`, or with a body and headers. */
export type Step =
  | string
  | readonly [request: string, body: unknown, headers?: Record<string, string>]

/** A back end and the requests of its client. */
export interface Script {
  /** The number of posts at the end. */
  posts: number
  serve: () => Promise<Backend>
  /** What the client reads before it writes, with its logins. */
  reads: readonly Step[]
  /** What the client writes, and reads after that. */
  writes: readonly Step[]
  /** The path to which a post is posted, the list that then ends with it, and the path of a post. */
  paths: { posts: string; lastPage: string; post: (id: number | string) => string }
  /** The texts of credentials, which no file may contain. */
  secrets: string[]
}

/** The five back ends, by name. */
export const scripts: Record<string, Script> = {
  'json-server 0.17': {
    posts: 23,
    serve: () => serveJsonServer(0),
    paths: { posts: '/posts', lastPage: '/posts', post: (id) => `/posts/${id}` },
    secrets: [],
    reads: [
      'GET /posts',
      'GET /posts?_page=1&_limit=5',
      'GET /posts?_page=2&_limit=5',
      'GET /posts?_sort=views&_order=desc&_limit=4',
      'GET /posts?userId=2',
      'GET /posts/3',
      'GET /posts/99',
      'GET /users',
      'GET /users/1',
      'GET /users/2/posts',
      'GET /profile',
    ],
    writes: [
      ['POST /posts', { title: 'New', userId: 1 }],
      ['PATCH /posts/2', { title: 'Changed' }],
      ['DELETE /posts/4', undefined],
      'GET /posts/2',
      'GET /posts/24',
      'GET /posts/4',
      'GET /posts',
    ],
  },
  'json-server 1': {
    posts: 22,
    serve: () => serveJsonServer(1),
    paths: { posts: '/posts', lastPage: '/posts', post: (id) => `/posts/${id}` },
    secrets: [],
    reads: [
      'GET /posts',
      'GET /posts?_page=1&_per_page=5',
      'GET /posts?_page=3&_per_page=5',
      'GET /posts?_sort=-views',
      'GET /posts?userId=2',
      'GET /posts/3',
      'GET /posts/99',
      'GET /users',
      'GET /users/1',
      'GET /profile',
    ],
    writes: [
      // A single write: json-server 1 watches its file, and reads an earlier write back after a later one.
      ['DELETE /posts/4', undefined],
      'GET /posts/2',
      'GET /posts/4',
      'GET /posts',
    ],
  },
  Laravel: {
    posts: 23,
    serve: serveLaravel,
    paths: {
      posts: '/api/posts',
      lastPage: '/api/posts?page=3',
      post: (id) => `/api/posts/${id}`,
    },
    secrets: ['laravel-secret', 'laravel-password', 'laravel-cookie'],
    reads: [
      'GET /api/posts',
      ['POST /api/login', { email: 'a@b.test', password: 'wrong laravel-password' }],
      ['POST /api/login', { email: 'a@b.test', password: 'laravel-password' }],
      ['GET /api/user', undefined, { Authorization: 'Bearer 1|laravel-secret' }],
      'GET /api/posts?page=2',
      'GET /api/posts?page=3',
      'GET /api/posts?page=1&per_page=5',
      'GET /api/posts?sort=-views',
      'GET /api/posts/7',
      'GET /api/posts/99',
      'GET /api/users',
      'GET /api/users/2',
      'GET /api/users/2/posts',
      'GET /api/nothing',
    ],
    writes: [
      ['POST /api/posts', { title: '', user_id: 1 }],
      ['POST /api/posts', { title: 'New', user_id: 1, views: 0, published_at: null }],
      ['PUT /api/posts/7', { title: 'Changed' }],
      ['DELETE /api/posts/9', undefined],
      'GET /api/posts/7',
      'GET /api/posts/9',
      'GET /api/posts/24',
    ],
  },
  'Django REST framework': {
    posts: 23,
    serve: serveDjango,
    paths: {
      posts: '/api/posts/',
      lastPage: '/api/posts/?page=3',
      post: (id) => `/api/posts/${id}/`,
    },
    secrets: ['django-secret'],
    reads: [
      'GET /api/posts/',
      'GET /api/posts/?page=2',
      'GET /api/posts/?page=3',
      'GET /api/posts/?page=4',
      'GET /api/posts/?ordering=-views',
      'GET /api/posts/?user_id=2',
      'GET /api/posts/?page_size=5&page=2',
      'GET /api/posts/7/',
      'GET /api/posts/99/',
      'GET /api/users/',
      'GET /api/users/3/',
      ['POST /login/', { username: 'ada', password: 'django-secret' }],
    ],
    writes: [
      ['PATCH /api/posts/7/', { title: 'x' }],
      ['PATCH /api/posts/7/', { title: 'Changed' }, { Cookie: 'sessionid=django-secret' }],
      'GET /api/posts/7/',
    ],
  },
  '@sap/cds': {
    posts: 23,
    serve: serveCap,
    paths: {
      posts: '/odata/v4/blog/posts',
      lastPage: '/odata/v4/blog/posts',
      post: (id) => `/odata/v4/blog/posts(${id})`,
    },
    secrets: [],
    reads: [
      'GET /odata/v4/blog/posts',
      'GET /odata/v4/blog/posts?$top=5&$count=true',
      'GET /odata/v4/blog/posts?$top=5&$skip=5&$count=true',
      'GET /odata/v4/blog/posts?$orderby=views%20desc&$top=3',
      'GET /odata/v4/blog/posts(7)',
      'GET /odata/v4/blog/posts(99)',
      'GET /odata/v4/blog/users',
      'GET /odata/v4/blog/users(1)',
    ],
    writes: [
      ['PATCH /odata/v4/blog/posts(7)', { title: 'Changed' }],
      'GET /odata/v4/blog/posts(7)',
    ],
  },
}

/** All requests of a script. */
export function stepsOf({ reads, writes }: Script): Step[] {
  return [...reads, ...writes]
}
