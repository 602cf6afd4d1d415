import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import type { Recorded } from '../../src/record/session/recorder.ts'
import { startServer } from '../cli/program.ts'
import { createFolder } from '../unit/loader/folder.ts'
import type { Backend } from './backends/backend.ts'
import { serveDjango } from './backends/django.ts'
import { serveJsonServer } from './backends/json-server.ts'
import { serveLaravel } from './backends/laravel.ts'
import { serveOdata } from './backends/odata.ts'
import { startRecording } from './backends/recording.ts'

/** A back end and the requests of its client; a request is `GET /path`, or with a body and headers. */
interface Row {
  /** The number of posts at the end. */
  posts: number
  serve: () => Promise<Backend>
  script: (string | [request: string, body: unknown, headers?: Record<string, string>])[]
  /** The texts of credentials, which no file may contain. */
  secrets: string[]
}

const rows: Record<string, Row> = {
  'json-server 0.17': {
    posts: 23,
    serve: () => serveJsonServer(0),
    secrets: [],
    script: [
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
    secrets: [],
    script: [
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
    secrets: ['laravel-secret', 'laravel-password', 'laravel-cookie'],
    script: [
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
      ['POST /api/posts', { title: '', user_id: 1 }],
      ['POST /api/posts', { title: 'New', user_id: 1, views: 0, published_at: null }],
      ['PUT /api/posts/7', { title: 'Changed' }],
      ['DELETE /api/posts/9', undefined],
      'GET /api/posts/7',
      'GET /api/posts/9',
      'GET /api/posts/24',
      'GET /api/nothing',
    ],
  },
  'Django REST framework': {
    posts: 23,
    serve: serveDjango,
    secrets: ['django-secret'],
    script: [
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
      ['PATCH /api/posts/7/', { title: 'x' }],
      ['PATCH /api/posts/7/', { title: 'Changed' }, { Cookie: 'sessionid=django-secret' }],
      'GET /api/posts/7/',
    ],
  },
  'OData, as of CAP': {
    posts: 23,
    serve: serveOdata,
    secrets: [],
    script: [
      'GET /odata/v4/blog/posts',
      'GET /odata/v4/blog/posts?$top=5&$count=true',
      'GET /odata/v4/blog/posts?$top=5&$skip=5&$count=true',
      'GET /odata/v4/blog/posts?$orderby=views%20desc&$top=3',
      'GET /odata/v4/blog/posts(7)',
      'GET /odata/v4/blog/posts(99)',
      'GET /odata/v4/blog/users',
      'GET /odata/v4/blog/users(1)',
      ['PATCH /odata/v4/blog/posts(7)', { title: 'Changed' }],
      'GET /odata/v4/blog/posts(7)',
    ],
  },
}

/** A response as it is compared; values of redirects are not followed. */
interface Answer {
  status: number
  value: unknown
}

/** Sends the requests of a script; returns the last response to each GET. */
async function play(origin: string, script: Row['script']): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>()
  for (const step of script) {
    const [request, body, headers = {}] = typeof step === 'string' ? [step] : step
    const [method = 'GET', path = '/'] = request.split(' ', 2)
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
    const response = await fetch(origin + path, {
      method,
      headers: { ...type, ...headers },
      redirect: 'manual',
      body: body === undefined ? null : JSON.stringify(body),
    })
    const text = await response.text()
    const value: unknown = text === '' ? undefined : JSON.parse(text)
    if (method === 'GET') answers.set(path, { status: response.status, value })
  }
  return answers
}

/** Records a script; resolves when the back end has stopped and the files are written. */
async function record(
  { serve, script }: Row,
  folder: string,
): Promise<{ answers: Map<string, Answer>; recorded: Recorded; origin: string }> {
  const backend = await serve()
  const recording = await startRecording(backend.origin, folder)
  const answers = await play(recording.url, script)
  await backend.close()
  const recorded = await recording.close()
  return { answers, recorded, origin: backend.origin }
}

/** Reads all files below a folder as one text. */
function readAll(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
    .join('\n')
}

describe('a mock of a recording', () => {
  it.each(Object.entries(rows))('answers every recorded GET: %s', async (_name, row) => {
    const folder = createFolder({})
    const { answers, origin, recorded } = await record(row, folder)
    const { different } = recorded.written
    const counts = recorded.learned.resources.flatMap(({ name, value }) =>
      Array.isArray(value) ? [[name.split('/').at(-1), value.length]] : [],
    )
    expect(Object.fromEntries(counts)).toEqual({ posts: row.posts, users: 5 })
    expect(different).toEqual([])
    const { url } = await startServer(['--port', '0'], folder)
    const root = new URL(url).origin
    const differences: unknown[] = []
    for (const [path, { status, value }] of answers) {
      const response = await fetch(root + path, { redirect: 'manual' })
      const text = await response.text()
      // Absolute URLs of the real API name the mock.
      const own = text.replaceAll(root, origin)
      const found = { status: response.status, value: own === '' ? undefined : JSON.parse(own) }
      try {
        expect(found).toEqual({ status, value })
      } catch {
        differences.push({ path, found, wanted: { status, value } })
      }
    }
    expect(differences).toEqual([])
    const written = readAll(folder)
    expect(row.secrets.filter((secret) => written.includes(secret))).toEqual([])
  })
})
