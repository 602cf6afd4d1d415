import { type Backend, type Call, numberOf, type Reply, serveBackend } from './backend.ts'

type Row = Record<string, unknown> & { id: number }

const token = 'house-token-5f2c'

/** The password of the login. */
export const housePassword = 'house-password'

/** The request header of a user who is logged in. */
export const houseLogin = { Authorization: `Bearer ${token}` }

/** A PNG image of one pixel. */
const image = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

const statuses = ['open', 'in_progress', 'review', 'done']

function createRows(): Record<'tasks' | 'users' | 'projects' | 'comments' | 'events', Row[]> {
  const day = (at: number): string => `2026-03-${String((at % 28) + 1).padStart(2, '0')}T09:00:00Z`
  return {
    users: Array.from({ length: 8 }, (_, at) => ({
      id: at + 11,
      username: `user${at + 11}`,
      role: at === 0 ? 'admin' : 'member',
      createdAt: day(at),
    })),
    projects: Array.from({ length: 23 }, (_, at) => ({
      id: at + 1,
      title: `Project ${(at * 7) % 23}`,
      ownerId: 11 + (at % 8),
      isArchived: at % 5 === 0,
    })),
    tasks: Array.from({ length: 57 }, (_, at) => ({
      id: at + 1,
      title: `Task ${(at * 17) % 57}`,
      status: statuses[(at * 3) % 4],
      priority: (at * 7) % 5,
      // One user is both who reports and who does the work for some tasks.
      reporterId: 11 + ((at * 3) % 8),
      assigneeId: 11 + (at % 8),
      projectId: (at % 6) + 1,
      dueDate: day(at * 11),
      completedAt: null,
    })),
    comments: Array.from({ length: 30 }, (_, at) => ({
      id: 900 + at,
      taskId: (at % 10) + 1,
      authorId: 11 + (at % 8),
      text: `Comment ${at}`,
    })),
    events: Array.from({ length: 35 }, (_, at) => ({
      id: 5000 - at,
      kind: at % 3 === 0 ? 'created' : 'updated',
      taskId: (at % 12) + 1,
      at: day(at),
    })),
  }
}

function ok(data: unknown, more: object = {}, status = 200): Reply {
  return { status, value: { success: true, data, ...more } }
}

function fail(status: number, code: string, message: string, more: object = {}): Reply {
  return { status, value: { success: false, error: { code, message, ...more } } }
}

/**
 * Serves a back end in the style of a company's own Express program: envelopes with `success`, lists with and without
 * `pagination`, nested lists, actions, links in headers and records, files, and a feed with cursors.
 */
export function serveHouse(): Promise<Backend> {
  const rows = createRows()
  return serveBackend((call) => {
    const { method, url, headers, body = {} } = call
    const [, api, version, name = '', id, child] = url.pathname.split('/')
    if (api !== 'api' || version !== 'v1') return fail(404, 'NOT_FOUND', 'Route not found')
    if (name === 'auth') return login(body)
    if (headers.authorization !== houseLogin.Authorization) {
      return fail(401, 'UNAUTHORIZED', 'Missing or invalid token')
    }
    const special = serveSpecial(call)
    if (special) return special
    if (!isName(rows, name) || name === 'comments') {
      return fail(404, 'NOT_FOUND', 'Route not found')
    }
    if (id === undefined) return method === 'POST' ? create(rows[name], body) : toList(name, call)
    const row = rows[name].find((one) => String(one.id) === id)
    if (!row) return fail(404, 'NOT_FOUND', `${singularOf(name)} ${id} not found`)
    if (child !== undefined) return toChild(name, row, child, call)
    if (method === 'DELETE') {
      rows[name].splice(rows[name].indexOf(row), 1)
      return { status: 204 }
    }
    if (method !== 'GET') Object.assign(row, body)
    return ok(withLinks(name, row, url.origin))
  })

  function serveSpecial({ url, headers }: Call): Reply | undefined {
    const path = url.pathname.slice('/api/v1'.length)
    if (path === '/me') return ok(rows.users[1])
    if (path === '/session/ping') return { status: 204 }
    if (path === '/go/latest') {
      return { status: 302, headers: { Location: `${url.origin}/api/v1/tasks/57` } }
    }
    if (path === '/settings') {
      const headersOfSettings = { ETag: '"v7"' }
      if (headers['if-none-match'] === '"v7"') return { status: 304, headers: headersOfSettings }
      return { ...ok({ theme: 'dark', weekStart: 1 }), headers: headersOfSettings }
    }
    if (path === '/tasks/export.csv') {
      const lines = rows.tasks.slice(0, 5).map(({ id, title }) => `${id},${String(title)}`)
      return {
        status: 200,
        bytes: `id,title\r\n${lines.join('\r\n')}\r\n`,
        headers: {
          'Content-Type': 'text/csv; charset=utf-8',
          'Content-Disposition': 'attachment; filename="tasks.csv"',
        },
      }
    }
    if (/^\/users\/\d+\/avatar$/.test(path)) {
      return { status: 200, bytes: image, headers: { 'Content-Type': 'image/png' } }
    }
    if (path === '/reports/busy') return fail(503, 'BUSY', 'Try again later')
    return undefined
  }

  function toList(name: Name, { url }: Call): Reply {
    const { searchParams: query } = url
    if (name === 'users') return ok(rows.users)
    if (name === 'events') {
      const limit = numberOf(url, 'limit', 10)
      const cursor = query.get('cursor')
      const after = cursor === null ? undefined : Number(atob(cursor))
      const start = rows.events.findIndex(({ id }) => after === undefined || id < after)
      const items = start < 0 ? [] : rows.events.slice(start, start + limit)
      const hasMore = start >= 0 && start + limit < rows.events.length
      const nextCursor = hasMore ? btoa(String(items.at(-1)?.id)) : null
      return ok(items, { nextCursor })
    }
    return toPage(name, filterRows(rows[name], query), url)
  }

  function toChild(name: Name, row: Row, child: string, { method, url }: Call): Reply {
    if (method === 'POST' && child === 'complete' && name === 'tasks') {
      Object.assign(row, { status: 'done', completedAt: '2026-03-20T12:00:00Z' })
      return ok(row)
    }
    if (method === 'POST' && child === 'watch') return { status: 204 }
    const key = { users: 'assigneeId', projects: 'projectId', tasks: 'taskId', events: '' }[
      name as Exclude<Name, 'comments'>
    ]
    if (child === 'comments' && name === 'tasks') {
      return ok(rows.comments.filter((one) => one[key] === row.id))
    }
    if (child !== 'tasks' || name === 'tasks') return fail(404, 'NOT_FOUND', 'Route not found')
    const found = rows.tasks.filter((one) => one[key] === row.id)
    if (name === 'users') return ok(found)
    return toPage('tasks', filterRows(found, url.searchParams), url)
  }
}

type Name = keyof ReturnType<typeof createRows>

function isName(rows: object, name: string): name is Name {
  return Object.hasOwn(rows, name)
}

function singularOf(name: Name): string {
  return name[0]?.toUpperCase() + name.slice(1, -1)
}

/** Projects have links, as in HAL. */
function withLinks(name: Name, row: Row, origin: string): object {
  const href = `${origin}/api/v1/${name}/${row.id}`
  const links = { self: { href }, tasks: { href: `${href}/tasks` } }
  return name === 'projects' ? { ...row, _links: links } : row
}

function filterRows(rows: readonly Row[], query: URLSearchParams): Row[] {
  const others = new Set(['page', 'pageSize', 'sortBy', 'sortOrder', 'search'])
  const word = query.get('search')?.toLowerCase()
  const found = rows.filter(
    (row) =>
      [...query].every(([name, value]) => others.has(name) || String(row[name]) === value) &&
      (word === undefined || String(row['title']).toLowerCase().includes(word)),
  )
  const field = query.get('sortBy')
  if (field === null) return found
  const direction = query.get('sortOrder') === 'desc' ? -1 : 1
  const rank = (row: Row): string => {
    const value = row[field]
    return typeof value === 'number' ? String(value).padStart(8, '0') : String(value)
  }
  return found.toSorted((a, b) => direction * (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0))
}

function toPage(name: Name, found: readonly Row[], url: URL): Reply {
  const page = numberOf(url, 'page', 1)
  const pageSize = numberOf(url, 'pageSize', name === 'tasks' ? 20 : 10)
  const totalPages = Math.ceil(found.length / pageSize)
  const items = found.slice((page - 1) * pageSize, page * pageSize)
  const pagination = { page, pageSize, totalItems: found.length, totalPages }
  const link = (to: number, relation: string): string[] => {
    const target = new URL(url)
    target.searchParams.set('page', String(to))
    return to < 1 || to > totalPages ? [] : [`<${target.href}>; rel="${relation}"`]
  }
  const links = [...link(page + 1, 'next'), ...link(page - 1, 'prev')].join(', ')
  return {
    ...ok(
      items.map((row) => withLinks(name, row, url.origin)),
      { pagination },
    ),
    ...(links !== '' && { headers: { Link: links } }),
  }
}

function login({ email, password }: Record<string, unknown>): Reply {
  if (password !== housePassword) {
    return fail(401, 'BAD_CREDENTIALS', 'Wrong email or password')
  }
  return ok({ token, user: { id: 12, email } })
}

function create(rows: Row[], body: Record<string, unknown>): Reply {
  if (typeof body['title'] !== 'string' || body['title'] === '') {
    return fail(422, 'VALIDATION', 'Validation failed', { fields: { title: 'Title is required' } })
  }
  const row = { id: Math.max(...rows.map(({ id }) => id)) + 1, status: 'open', ...body }
  rows.push(row)
  return ok(row, {}, 201)
}

/** The requests of a browse session. */
export const houseSession: readonly string[] = [
  '/me',
  '/tasks',
  '/tasks?page=2',
  '/tasks?page=3',
  '/tasks?page=1&pageSize=5',
  '/tasks?page=2&pageSize=5',
  '/tasks?status=open',
  '/tasks?status=done&page=1',
  '/tasks?assigneeId=12',
  '/tasks?sortBy=dueDate&sortOrder=desc',
  '/tasks?sortBy=title&sortOrder=asc&pageSize=5',
  '/tasks?search=Task+1',
  '/tasks/1',
  '/tasks/7',
  '/tasks/57',
  '/tasks/999',
  '/tasks/1/comments',
  '/tasks/2/comments',
  '/tasks/7/comments',
  '/tasks/44/comments',
  '/users',
  '/users/12',
  '/users/13',
  '/users/99',
  '/users/12/tasks',
  '/users/13/tasks',
  '/projects',
  '/projects?page=2',
  '/projects?page=3',
  '/projects/1',
  '/projects/3',
  '/projects/3/tasks',
  '/projects/4/tasks?page=1&pageSize=5',
  '/projects?isArchived=true',
  '/projects?sortBy=title&sortOrder=asc',
  '/events',
  '/events?cursor=NDk5MQ%3D%3D',
  '/events?cursor=NDk4MQ%3D%3D',
  '/events?cursor=NDk3MQ%3D%3D',
  '/events?limit=5',
  '/settings',
  '/session/ping',
  '/go/latest',
  '/tasks/export.csv',
  '/users/12/avatar',
  '/reports/busy',
  '/nothing',
]

/** Questions that the session does not have. */
export const houseQuestions: readonly string[] = [
  '/comments',
  '/tasks?page=4',
  '/tasks?pageSize=50',
  '/tasks?page=2&pageSize=50',
  '/tasks?page=3&pageSize=5',
  '/tasks?page=6&pageSize=10',
  '/tasks?pageSize=7',
  '/tasks?status=review',
  '/tasks?status=in_progress&page=1&pageSize=5',
  '/tasks?status=open&pageSize=5&page=3',
  '/tasks?assigneeId=15',
  '/tasks?priority=3',
  '/tasks?projectId=2&status=open',
  '/tasks?reporterId=14',
  '/tasks?sortBy=dueDate&sortOrder=asc',
  '/tasks?sortBy=title&sortOrder=desc&page=2',
  '/tasks?sortBy=priority&sortOrder=asc&pageSize=6',
  '/tasks?search=Task+2',
  '/tasks?search=Task+5&sortBy=title&sortOrder=asc',
  '/tasks?status=nothing',
  '/tasks/2',
  '/tasks/30',
  '/tasks/56',
  '/tasks/888',
  '/tasks/50/comments',
  '/users/11',
  '/users/18',
  '/users/77',
  '/users/14/tasks',
  '/users/18/tasks',
  '/projects?page=1',
  '/projects?pageSize=5&page=2',
  '/projects?isArchived=false&page=2',
  '/projects?sortBy=title&sortOrder=desc',
  '/projects?ownerId=13',
  '/projects/2',
  '/projects/22',
  '/projects/2/tasks',
  '/projects/4/tasks?page=2&pageSize=5',
  '/events?limit=7',
]
