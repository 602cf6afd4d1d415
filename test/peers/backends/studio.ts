import { type Backend, numberOf, type Reply, serveBackend } from './backend.ts'
import type { Style } from './yardstick.ts'

type Rec = Record<string, unknown> & { id: number }

const things = [
  'Garden',
  'Bridge',
  'Library',
  'Harbour',
  'Museum',
  'Tower',
  'School',
  'Station',
  'Market',
]
const people = ['Lena', 'Marko', 'Nuria', 'Oskar', 'Pilar', 'Quinn']

const two = (value: number): string => String(value).padStart(2, '0')

const textOf = (value: unknown): string =>
  value === null ? '' : `${value as string | number | boolean}`

/** An API as Rails makes it: root keys, `meta`, Ransack's `q`, errors by field, records with `deleted_at`. */
export async function serveStudio(): Promise<Backend> {
  const clients: Rec[] = Array.from({ length: 8 }, (_, at) => ({
    id: at + 1,
    name: `${people[at % 6]} & Sons ${at + 1}`,
    country: ['ES', 'DE', 'PL'][at % 3],
    vat_number: at % 3 === 2 ? null : `X${1000 + at * 77}`,
    created_at: `2025-1${at % 3}-0${at + 1}T08:00:00.000Z`,
    updated_at: `2026-01-0${at + 1}T08:00:00.000Z`,
  }))
  const projects: Rec[] = Array.from({ length: 41 }, (_, at) => ({
    id: at + 101,
    name: `${things[(at * 4) % 9]} ${at + 1}`,
    client_id: ((at * 3) % 8) + 1,
    status: ['draft', 'running', 'done'][(at * 2) % 3],
    budget: `${(at * 731) % 9000}.${two((at * 7) % 100)}`,
    starts_on: `2026-${two(1 + (at % 12))}-${two(1 + ((at * 5) % 28))}`,
    archived: at % 6 === 5,
    created_at: `2026-${two(1 + (at % 9))}-${two(1 + ((at * 11) % 28))}T10:00:00.000Z`,
    updated_at: `2026-10-${two(1 + ((at * 3) % 28))}T10:${two(at)}:00.000Z`,
  }))
  const tasks: Rec[] = Array.from({ length: 64 }, (_, at) => ({
    id: at + 501,
    project_id: 101 + ((at * 7) % 41),
    title: `Task ${String.fromCharCode(97 + (at % 26))}${at}`,
    position: Math.floor(at / 41) + 1,
    done: at % 3 === 0,
    assignee: at % 4 === 0 ? null : people[at % 6],
    due_on: at % 5 === 0 ? null : `2026-12-${two(1 + (at % 28))}`,
  }))
  const deleted = new Set<Rec>()
  const fail = (status: number, errors: unknown): Reply => ({ status, value: { errors } })
  const notFound: Reply = { status: 404, value: { error: 'Not Found' } }
  const toTask = (task: Rec): Rec => ({
    ...task,
    overdue: task['done'] === false && task['due_on'] === '2026-12-01',
  })
  const toProject = (project: Rec): Rec => {
    const client = clients.find(({ id }) => id === project['client_id'])
    return {
      ...project,
      client: client ? { id: client.id, name: client['name'] } : null,
      tasks_count: tasks.filter((task) => task['project_id'] === project.id && !deleted.has(task))
        .length,
    }
  }
  const views = { clients: (row: Rec) => row, projects: toProject, tasks: toTask }
  const roots = { clients: 'client', projects: 'project', tasks: 'task' } as const
  type Name = keyof typeof views

  function list(name: Name, all: Rec[], url: URL): Reply {
    let rows = all.filter((row) => !deleted.has(row))
    for (const [key, value] of url.searchParams) {
      const [, field = '', predicate] = /^q\[(\w+?)_(eq|cont|gteq|lteq|null|in)\]$/.exec(key) ?? []
      if (predicate === undefined) continue
      rows = rows.filter((row) => {
        const own = row[field]
        if (predicate === 'eq') return textOf(own) === value
        if (predicate === 'cont') return textOf(own).toLowerCase().includes(value.toLowerCase())
        if (predicate === 'gteq') return own !== null && textOf(own) >= value
        if (predicate === 'lteq') return own !== null && textOf(own) <= value
        return value === 'true' ? own === null : own !== null
      })
    }
    const [field = 'id', direction = 'asc'] = (
      url.searchParams.get('q[s]') ?? (name === 'projects' ? 'created_at desc' : 'id asc')
    ).split(' ')
    rows = rows.toSorted((a, b) => {
      const [x, y] = [a[field] as string, b[field] as string]
      return x === y ? a.id - b.id : (direction === 'desc' ? -1 : 1) * (x < y ? -1 : 1)
    })
    const page = numberOf(url, 'page', 1)
    const size = numberOf(url, 'per_page', 10)
    return {
      status: 200,
      value: {
        [name]: rows.slice((page - 1) * size, page * size).map(views[name]),
        meta: {
          current_page: page,
          total_pages: Math.ceil(rows.length / size),
          total_count: rows.length,
        },
      },
    }
  }

  const now = (): string => new Date().toISOString()

  function check(
    name: Name,
    values: Record<string, unknown>,
    isNew: boolean,
  ): Record<string, string[]> {
    const errors: Record<string, string[]> = {}
    const needed = name === 'tasks' ? 'title' : 'name'
    if ((isNew || needed in values) && (values[needed] ?? '') === '')
      errors[needed] = ["can't be blank"]
    if (name === 'projects' && isNew && !clients.some(({ id }) => id === values['client_id']))
      errors['client'] = ['must exist']
    if (
      name === 'projects' &&
      'status' in values &&
      !['draft', 'running', 'done'].includes(String(values['status']))
    ) {
      errors['status'] = ['is not included in the list']
    }
    return errors
  }

  function create(name: Name, values: Record<string, unknown>): Reply {
    const errors = check(name, values, true)
    if (Object.keys(errors).length > 0) return fail(422, errors)
    const rows = { clients, projects, tasks }[name]
    const id = Math.max(...rows.map((row) => row.id)) + 1
    const standard =
      name === 'projects'
        ? {
            name: null,
            client_id: null,
            status: 'draft',
            budget: '0.00',
            starts_on: null,
            archived: false,
            created_at: now(),
            updated_at: now(),
          }
        : name === 'tasks'
          ? {
              project_id: null,
              title: null,
              position:
                tasks.filter((task) => task['project_id'] === values['project_id']).length + 1,
              done: false,
              assignee: null,
              due_on: null,
            }
          : { name: null, country: null, vat_number: null, created_at: now(), updated_at: now() }
    const row = { id, ...standard, ...values }
    rows.push(row)
    return { status: 201, value: { [roots[name]]: views[name](row) } }
  }

  return serveBackend(({ method, url, headers, body }): Reply => {
    const path = url.pathname.replace(/^\/api\/v1/, '')
    if (path === '/session' && method === 'POST') {
      const session = (body?.['session'] ?? {}) as Record<string, unknown>
      if (session['email'] !== 'lena@studio.test' || session['password'] !== 'blueprint') {
        return { status: 401, value: { error: 'Invalid email or password' } }
      }
      return {
        status: 201,
        value: {
          token: 'stu_77f0aa31b2',
          user: { id: 1, email: 'lena@studio.test', name: 'Lena' },
        },
      }
    }
    if (headers.authorization !== 'Bearer stu_77f0aa31b2')
      return { status: 401, value: { error: 'You need to sign in' } }
    const [, parent, parentId, name, id, action] =
      /^(?:\/(projects)\/(\d+)(?=\/tasks))?\/(clients|projects|tasks)(?:\/(\d+)(?:\/(\w+))?)?$/.exec(
        path,
      ) ?? []
    if (name === undefined) return notFound
    const kind = name as Name
    const rows = { clients, projects, tasks }[kind]
    const project =
      parent === undefined ? undefined : projects.find((one) => one.id === Number(parentId))
    if (parent !== undefined && (!project || deleted.has(project))) return notFound
    if (id === undefined) {
      if (method === 'GET')
        return list(
          kind,
          project ? tasks.filter((task) => task['project_id'] === project.id) : rows,
          url,
        )
      const values = (body?.[roots[kind]] ?? {}) as Record<string, unknown>
      return create(kind, project ? { project_id: project.id, ...values } : values)
    }
    const row = rows.find((one) => one.id === Number(id))
    if (!row || deleted.has(row)) return notFound
    const answer = (): Reply => ({ status: 200, value: { [roots[kind]]: views[kind](row) } })
    if (action === 'archive' && kind === 'projects' && method === 'PUT') {
      Object.assign(row, { archived: true, updated_at: now() })
      return answer()
    }
    if (action === 'toggle' && kind === 'tasks' && method === 'POST') {
      row['done'] = row['done'] !== true
      return answer()
    }
    if (action !== undefined) return notFound
    if (method === 'PATCH') {
      const values = (body?.[roots[kind]] ?? {}) as Record<string, unknown>
      const errors = check(kind, values, false)
      if (Object.keys(errors).length > 0) return fail(422, errors)
      Object.assign(row, values, 'updated_at' in row ? { updated_at: now() } : {})
      return answer()
    }
    if (method === 'DELETE') {
      deleted.add(row)
      return { status: 204 }
    }
    return answer()
  })
}

const api = '/api/v1'

export const studio: Style = {
  name: 'studio (Rails)',
  serve: serveStudio,
  headers: { Authorization: 'Bearer {login.token}' },
  session: [
    `GET ${api}/projects`,
    [`POST ${api}/session`, { session: { email: 'lena@studio.test', password: 'nope' } }],
    [
      `POST ${api}/session`,
      { session: { email: 'lena@studio.test', password: 'blueprint' } },
      { as: 'login' },
    ],
    `GET ${api}/projects`,
    `GET ${api}/projects?page=2`,
    `GET ${api}/projects?page=3`,
    `GET ${api}/projects?page=4`,
    `GET ${api}/projects?page=5`,
    `GET ${api}/projects?per_page=25`,
    `GET ${api}/projects?q[name_cont]=bridge`,
    `GET ${api}/projects?q[name_cont]=Tower&q[archived_eq]=false`,
    `GET ${api}/projects?q[status_eq]=draft`,
    `GET ${api}/projects?q[client_id_eq]=4`,
    `GET ${api}/projects?q[starts_on_gteq]=2026-09-01`,
    `GET ${api}/projects?q[starts_on_gteq]=2026-03-01&q[starts_on_lteq]=2026-05-31`,
    `GET ${api}/projects?q[s]=name+asc`,
    `GET ${api}/projects?q[s]=starts_on+desc&per_page=5`,
    `GET ${api}/projects/101`,
    `GET ${api}/projects/120`,
    `GET ${api}/projects/9`,
    `GET ${api}/projects/101/tasks`,
    `GET ${api}/projects/108/tasks`,
    `GET ${api}/projects/9/tasks`,
    `GET ${api}/clients`,
    `GET ${api}/clients?q[country_eq]=ES`,
    `GET ${api}/clients/1`,
    `GET ${api}/clients/3`,
    `GET ${api}/clients/80`,
    `GET ${api}/tasks`,
    `GET ${api}/tasks?page=2`,
    `GET ${api}/tasks?page=3`,
    `GET ${api}/tasks?page=4`,
    `GET ${api}/tasks?page=5`,
    `GET ${api}/tasks?page=6`,
    `GET ${api}/tasks?page=7`,
    `GET ${api}/tasks?q[done_eq]=true`,
    `GET ${api}/tasks?q[assignee_null]=true`,
    `GET ${api}/tasks?q[due_on_lteq]=2026-12-08`,
    `GET ${api}/tasks/501`,
    `GET ${api}/tasks/530`,
    [`POST ${api}/projects`, { project: { name: '' } }],
    [`POST ${api}/projects`, { project: { name: 'Odd', client_id: 2, status: 'unknown' } }],
    [`POST ${api}/projects`, { project: { name: 'Pier 1', client_id: 2 } }, { as: 'project' }],
    `GET ${api}/projects/{project.project.id}`,
    [
      `POST ${api}/projects/{project.project.id}/tasks`,
      { task: { title: 'Measure' } },
      { as: 'task' },
    ],
    [`POST ${api}/projects/{project.project.id}/tasks`, { task: { assignee: 'Lena' } }],
    `GET ${api}/projects/{project.project.id}/tasks`,
    `GET ${api}/projects/{project.project.id}`,
    [`PATCH ${api}/projects/{project.project.id}`, { project: { budget: '250.00' } }],
    [`PATCH ${api}/projects/{project.project.id}`, { project: { name: '' } }],
    [`PUT ${api}/projects/{project.project.id}/archive`],
    [`POST ${api}/tasks/{task.task.id}/toggle`],
    [`POST ${api}/tasks/{task.task.id}/toggle`],
    [`PATCH ${api}/tasks/503`, { task: { assignee: 'Pilar' } }],
    `GET ${api}/tasks/503`,
    [`DELETE ${api}/tasks/{task.task.id}`],
    `GET ${api}/tasks/{task.task.id}`,
    [`DELETE ${api}/projects/{project.project.id}`],
    `GET ${api}/projects/{project.project.id}`,
    [`DELETE ${api}/projects/9`],
    [`POST ${api}/clients`, { client: { name: 'New Ltd', country: 'PL' } }, { as: 'client' }],
    `GET ${api}/clients/{client.client.id}`,
    `GET ${api}/nothing`,
  ],
  questions: [
    `GET ${api}/projects?page=2&per_page=20`,
    `GET ${api}/projects?page=3&per_page=7`,
    `GET ${api}/projects?page=8`,
    `GET ${api}/projects?q[name_cont]=museum`,
    `GET ${api}/projects?q[name_cont]=LIB&per_page=2`,
    `GET ${api}/projects?q[status_eq]=done`,
    `GET ${api}/projects?q[status_eq]=running&page=2`,
    `GET ${api}/projects?q[client_id_eq]=7`,
    `GET ${api}/projects?q[archived_eq]=true`,
    `GET ${api}/projects?q[starts_on_gteq]=2026-11-01`,
    `GET ${api}/projects?q[starts_on_lteq]=2026-02-15&q[status_eq]=done`,
    `GET ${api}/projects?q[s]=name+desc`,
    `GET ${api}/projects?q[s]=starts_on+asc&page=2`,
    `GET ${api}/projects?q[s]=budget+asc&per_page=5`,
    `GET ${api}/projects/104`,
    `GET ${api}/projects/139`,
    `GET ${api}/projects/999`,
    `GET ${api}/projects/105/tasks`,
    `GET ${api}/projects/130/tasks`,
    `GET ${api}/projects/999/tasks`,
    `GET ${api}/clients?q[country_eq]=PL`,
    `GET ${api}/clients?per_page=3`,
    `GET ${api}/clients/6`,
    `GET ${api}/clients/77`,
    `GET ${api}/tasks?q[done_eq]=false&page=2`,
    `GET ${api}/tasks?q[assignee_null]=false`,
    `GET ${api}/tasks?q[assignee_eq]=Nuria`,
    `GET ${api}/tasks?q[due_on_lteq]=2026-12-04`,
    `GET ${api}/tasks?per_page=15&page=3`,
    `GET ${api}/tasks/540`,
    `GET ${api}/tasks/5`,
    [`POST ${api}/projects`, { project: { client_id: 3 } }],
    [`POST ${api}/projects`, { project: { name: 'Dock', client_id: 5 } }, { as: 'project' }],
    `GET ${api}/projects/{project.project.id}`,
    [`POST ${api}/projects/103/tasks`, { task: { title: 'Draw' } }],
    [`PATCH ${api}/projects/110`, { project: { status: 'done' } }],
    [`PUT ${api}/projects/112/archive`],
    [`POST ${api}/tasks/509/toggle`],
    `GET ${api}/tasks/509`,
    [`DELETE ${api}/projects/115`],
  ],
}
