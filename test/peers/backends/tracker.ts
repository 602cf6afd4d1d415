import { type Backend, type Call, numberOf, type Reply, serveBackend } from './backend.ts'
import type { Style } from './yardstick.ts'

type Rec = Record<string, unknown>

const logins = ['octavia', 'penny', 'quentin', 'rosa', 'stefan']
const repos = ['website', 'compiler', 'notes']
const subjects = [
  'Crash on start',
  'Slow search',
  'Typo in docs',
  'Dark mode',
  'Wrong total',
  'Broken link',
  'Add export',
]

const two = (value: number): string => String(value).padStart(2, '0')

/** An API in the manner of GitHub: bare arrays, `Link`, owners and names in the path, numbers by repository. */
export async function serveTracker(): Promise<Backend> {
  const users: Rec[] = logins.map((login, at) => ({
    id: 300 + at * 7,
    login,
    name: `${login[0]?.toUpperCase()}${login.slice(1)} Vale`,
    type: at === 3 ? 'Bot' : 'User',
    site_admin: at === 0,
  }))
  const brief = (login: unknown): Rec => {
    const { id, type } = users.find((user) => user['login'] === login) ?? {}
    return { id, login, type }
  }
  const repositories: Rec[] = Array.from({ length: 9 }, (_, at) => {
    const owner = logins[at % 3] ?? ''
    const name = `${repos[Math.floor(at / 3)]}`
    return {
      id: 8001 + at * 3,
      name,
      full_name: `${owner}/${name}`,
      private: at % 4 === 3,
      owner: brief(owner),
      description: at % 3 === 1 ? null : `The ${name} of ${owner}`,
      stargazers_count: (at * 41) % 90,
      language: ['TypeScript', 'Rust', null][at % 3],
      created_at: `2025-0${1 + at}-1${at}T12:00:00Z`,
      updated_at: `2026-0${9 - at}-2${at}T12:00:00Z`,
    }
  })
  const issues: Rec[] = []
  repositories.slice(0, 2).forEach((repository, which) => {
    for (let at = 0; at < 45 - which * 20; at++) {
      issues.push({
        id: 70_000 + which * 1000 + at * 4,
        number: at + 1,
        repo: repository['full_name'],
        title: `${subjects[(at * 3) % 7]} #${at}`,
        body: at % 6 === 0 ? null : `Steps of ${at}`,
        state: at % 3 === 0 ? 'closed' : 'open',
        user: brief(logins[(at * 2) % 5]),
        labels: at % 4 === 0 ? ['bug'] : at % 4 === 1 ? ['docs', 'help wanted'] : [],
        comments: 0,
        locked: false,
        created_at: `2026-0${1 + Math.floor(at / 8)}-${two(1 + ((at * 3) % 28))}T08:${two(at)}:00Z`,
        updated_at: `2026-0${7 + (at % 3)}-${two(1 + ((at * 5) % 28))}T10:${two(at)}:00Z`,
        closed_at: at % 3 === 0 ? `2026-09-${two(1 + (at % 28))}T11:00:00Z` : null,
      })
    }
  })
  const comments: Rec[] = Array.from({ length: 24 }, (_, at) => ({
    id: 900_100 + at,
    issue: 70_000 + (at % 8) * 4,
    body: `Comment ${at} of ${logins[at % 5]}`,
    user: brief(logins[at % 5]),
    created_at: `2026-10-${two(1 + at)}T10:00:00Z`,
  }))
  for (const one of comments) {
    const issue = issues.find(({ id }) => id === one['issue'])
    if (issue) issue['comments'] = Number(issue['comments']) + 1
  }
  const fail = (status: number, message: string, extra = {}): Reply => ({
    status,
    value: { message, ...extra, documentation_url: 'https://docs.tracker.test/rest' },
  })
  const page = (rows: Rec[], url: URL): Reply => {
    const size = Math.min(numberOf(url, 'per_page', 10), 100)
    const at = numberOf(url, 'page', 1)
    const last = Math.max(1, Math.ceil(rows.length / size))
    const link = (to: number, rel: string): string => {
      const next = new URL(url)
      next.searchParams.set('page', String(to))
      return `<${next.href}>; rel="${rel}"`
    }
    const links = [
      ...(at > 1 ? [link(at - 1, 'prev')] : []),
      ...(at < last ? [link(at + 1, 'next'), link(last, 'last')] : []),
      ...(at > 1 ? [link(1, 'first')] : []),
    ]
    const headers: Record<string, string> = links.length > 0 ? { Link: links.join(', ') } : {}
    return { status: 200, value: rows.slice((at - 1) * size, at * size), headers }
  }
  const sorted = (rows: Rec[], url: URL, standard: string): Rec[] => {
    const field = url.searchParams.get('sort') ?? standard
    const name =
      { created: 'created_at', updated: 'updated_at', comments: 'comments' }[field] ?? field
    const sign = (url.searchParams.get('direction') ?? 'desc') === 'desc' ? -1 : 1
    return rows.toSorted((a, b) => {
      const [x, y] = [a[name] as string, b[name] as string]
      return x === y ? 0 : sign * (x < y ? -1 : 1)
    })
  }
  const shown = ({ repo: _repo, ...issue }: Rec): Rec => issue
  const shownComment = ({ issue: _issue, ...comment }: Rec): Rec => comment
  const isKnown = ({ headers }: Call): boolean => headers.authorization === 'token ghx_51aa02c7d9'

  function answerIssues(
    call: Call,
    repo: Rec,
    number: string | undefined,
    sub: string | undefined,
  ): Reply {
    const { method, url, body } = call
    const own = issues.filter((issue) => issue['repo'] === repo['full_name'])
    if (number === undefined) {
      if (method === 'GET') {
        const { searchParams: query } = url
        const state = query.get('state') ?? 'open'
        const creator = query.get('creator')
        const labels = query.get('labels')?.split(',') ?? []
        const rows = own.filter(
          (issue) =>
            (state === 'all' || issue['state'] === state) &&
            (creator === null || (issue['user'] as Rec)['login'] === creator) &&
            labels.every((label) => (issue['labels'] as string[]).includes(label)),
        )
        return page(sorted(rows, url, 'created').map(shown), url)
      }
      if (typeof body?.['title'] !== 'string' || body['title'] === '') {
        return fail(422, 'Validation Failed', {
          errors: [{ resource: 'Issue', code: 'missing_field', field: 'title' }],
        })
      }
      const now = new Date().toISOString().replace(/\.\d+/, '')
      const made: Rec = {
        id: 99_000 + issues.length,
        number: own.length + 1,
        repo: repo['full_name'],
        title: body['title'],
        body: body['body'] ?? null,
        state: 'open',
        user: brief('octavia'),
        labels: body['labels'] ?? [],
        comments: 0,
        locked: false,
        created_at: now,
        updated_at: now,
        closed_at: null,
      }
      issues.push(made)
      return {
        status: 201,
        value: shown(made),
        headers: { Location: `${url.origin}${url.pathname}/${String(made['number'])}` },
      }
    }
    const issue = own.find((one) => one['number'] === Number(number))
    if (!issue) return fail(404, 'Not Found')
    if (sub === 'comments') {
      if (method === 'GET')
        return page(comments.filter((one) => one['issue'] === issue['id']).map(shownComment), url)
      const made = {
        id: 901_000 + comments.length,
        issue: issue['id'],
        body: body?.['body'],
        user: brief('octavia'),
        created_at: new Date().toISOString().replace(/\.\d+/, ''),
      }
      comments.push(made)
      issue['comments'] = Number(issue['comments']) + 1
      return { status: 201, value: shownComment(made) }
    }
    if (sub === 'lock') {
      issue['locked'] = method === 'PUT'
      return { status: 204 }
    }
    if (method === 'PATCH') {
      Object.assign(issue, body, { updated_at: new Date().toISOString().replace(/\.\d+/, '') })
      if (body?.['state'] === 'closed') issue['closed_at'] = issue['updated_at']
      if (body?.['state'] === 'open') issue['closed_at'] = null
      return { status: 200, value: shown(issue) }
    }
    return { status: 200, value: shown(issue) }
  }

  return serveBackend((call): Reply => {
    const { method, url, headers, body } = call
    const path = url.pathname
    if (headers.authorization !== undefined && !isKnown(call)) return fail(401, 'Bad credentials')
    if (method !== 'GET' && !isKnown(call)) return fail(401, 'Requires authentication')
    if (path === '/user')
      return isKnown(call) ? { status: 200, value: users[0] } : fail(401, 'Requires authentication')
    const [, login, list] = /^\/users\/(\w+)(?:\/(repos))?$/.exec(path) ?? []
    if (login !== undefined) {
      const user = users.find((one) => one['login'] === login)
      if (!user) return fail(404, 'Not Found')
      if (list === undefined) return { status: 200, value: user }
      const own = repositories.filter((one) => (one['owner'] as Rec)['login'] === login)
      return page(sorted(own, url, 'created'), url)
    }
    const [, owner, name, rest, number, sub] =
      /^\/repos\/([\w-]+)\/([\w-]+)(?:\/(issues|comments)(?:\/(\d+)(?:\/(\w+))?)?)?$/.exec(path) ??
      []
    const repo = repositories.find((one) => one['full_name'] === `${owner}/${name}`)
    if (!repo) return fail(404, 'Not Found')
    if (rest === 'issues') return answerIssues(call, repo, number, sub)
    if (method === 'PATCH') {
      Object.assign(repo, body)
      return { status: 200, value: repo }
    }
    if (method === 'DELETE') {
      repositories.splice(repositories.indexOf(repo), 1)
      return { status: 204 }
    }
    return { status: 200, value: repo }
  })
}

const issues = '/repos/octavia/website/issues'

export const tracker: Style = {
  name: 'tracker (as GitHub)',
  serve: serveTracker,
  headers: { Authorization: 'token ghx_51aa02c7d9' },
  session: [
    ['GET /user', undefined, { headers: { Authorization: '' } }],
    ['GET /user', undefined, { headers: { Authorization: 'token wrong' } }],
    'GET /user',
    'GET /users/octavia',
    'GET /users/penny',
    'GET /users/nobody',
    'GET /users/octavia/repos',
    'GET /users/penny/repos',
    'GET /users/quentin/repos?sort=updated',
    'GET /repos/octavia/website',
    'GET /repos/penny/website',
    'GET /repos/octavia/nothing',
    `GET ${issues}`,
    `GET ${issues}?page=2`,
    `GET ${issues}?page=3`,
    `GET ${issues}?state=closed`,
    `GET ${issues}?state=closed&page=2`,
    `GET ${issues}?state=all&per_page=30`,
    `GET ${issues}?state=all&per_page=30&page=2`,
    `GET ${issues}?labels=bug`,
    `GET ${issues}?labels=docs,help%20wanted`,
    `GET ${issues}?creator=rosa`,
    `GET ${issues}?sort=updated&direction=asc`,
    `GET ${issues}?sort=comments`,
    `GET ${issues}?sort=created&direction=asc&per_page=5`,
    'GET /repos/penny/website/issues',
    'GET /repos/penny/website/issues?state=all&per_page=50',
    'GET /repos/quentin/website/issues',
    `GET ${issues}/1`,
    `GET ${issues}/8`,
    `GET ${issues}/999`,
    'GET /repos/penny/website/issues/2',
    `GET ${issues}/1/comments`,
    `GET ${issues}/2/comments`,
    `GET ${issues}/40/comments`,
    [`POST ${issues}`, { body: 'No title' }],
    [`POST ${issues}`, { title: 'Unauthorized' }, { headers: { Authorization: '' } }],
    [`POST ${issues}`, { title: 'New one', body: 'Please', labels: ['bug'] }, { as: 'issue' }],
    `GET ${issues}/{issue.number}`,
    `GET ${issues}?per_page=2`,
    [`PATCH ${issues}/{issue.number}`, { title: 'Newer one' }],
    [`PATCH ${issues}/5`, { state: 'closed' }],
    `GET ${issues}/5`,
    [`PATCH ${issues}/4`, { state: 'open' }],
    [`PUT ${issues}/6/lock`],
    `GET ${issues}/6`,
    [`DELETE ${issues}/6/lock`],
    `GET ${issues}/6`,
    [`POST ${issues}/3/comments`, { body: 'Thanks' }],
    `GET ${issues}/3/comments`,
    `GET ${issues}/3`,
    ['PATCH /repos/octavia/website', { description: 'Our site' }],
    'GET /repos/octavia/website',
    ['DELETE /repos/quentin/website'],
    'GET /repos/quentin/website',
  ],
  questions: [
    'GET /users/quentin',
    'GET /users/rosa',
    'GET /users/ghost',
    'GET /users/octavia/repos?per_page=2',
    'GET /users/penny/repos?sort=created&direction=asc',
    'GET /repos/penny/notes',
    'GET /repos/quentin/compiler',
    'GET /repos/ghost/website',
    `GET ${issues}?per_page=5`,
    `GET ${issues}?per_page=5&page=3`,
    `GET ${issues}?page=4`,
    `GET ${issues}?state=closed&per_page=4&page=2`,
    `GET ${issues}?state=open&per_page=20`,
    `GET ${issues}?state=all&per_page=7&page=3`,
    `GET ${issues}?labels=docs`,
    `GET ${issues}?labels=bug&state=closed`,
    `GET ${issues}?creator=penny`,
    `GET ${issues}?creator=octavia&state=all`,
    `GET ${issues}?sort=updated`,
    `GET ${issues}?sort=updated&direction=asc&page=2`,
    `GET ${issues}?sort=created&direction=asc&state=all&per_page=6`,
    'GET /repos/penny/website/issues?state=closed',
    'GET /repos/penny/website/issues?page=2&per_page=6',
    'GET /repos/penny/website/issues?creator=stefan',
    `GET ${issues}/17`,
    `GET ${issues}/30`,
    `GET ${issues}/500`,
    'GET /repos/penny/website/issues/11',
    'GET /repos/penny/website/issues/40',
    `GET ${issues}/2/comments?per_page=2`,
    `GET ${issues}/41/comments`,
    [`POST ${issues}`, { labels: ['docs'] }],
    [`POST ${issues}`, { title: 'Another' }, { as: 'issue' }],
    `GET ${issues}/{issue.number}`,
    [`PATCH ${issues}/9`, { title: 'Renamed' }],
    [`PATCH ${issues}/11`, { state: 'closed' }],
    [`PUT ${issues}/14/lock`],
    `GET ${issues}/14`,
    ['POST /repos/penny/website/issues', { title: 'For Penny' }],
    ['DELETE /repos/octavia/notes'],
  ],
}
