import { randomBytes } from 'node:crypto'

import { type Backend, type Call, numberOf, type Reply, serveBackend } from './backend.ts'
import type { Style } from './yardstick.ts'

const password = 'garden-password-31'

interface Keeper extends Record<string, unknown> {
  handle: string
  name: string
  plots_limit: number
}

interface Plot extends Record<string, unknown> {
  ref: string
  label: string
  area: number
  soil: string
  keeper: string
  watered_at: string | null
  created_at: string
}

interface Note extends Record<string, unknown> {
  ref: string
  plot: string
  text: string
  keeper: string
  created_at: string
}

const soils = ['clay', 'loam', 'sand', 'peat']
const handles = ['moss', 'fern', 'reed', 'yarrow']

/**
 * Serves shared gardens in the style of a small team: a login by cookie, lists under their names with `paging` and a
 * cursor in the body, refs as ids, embedded keepers, `{ code, message }`, and plots that their keepers alone change.
 */
function serveGardens(): Promise<Backend> {
  const time = (at: number): string => new Date(Date.UTC(2026, 2, 1, 6, at * 90)).toISOString()
  const keepers: Keeper[] = handles.map((handle, at) => ({
    handle,
    name: `${handle[0]?.toUpperCase()}${handle.slice(1)} Keeper`,
    plots_limit: 5 + at,
  }))
  const plots: Plot[] = Array.from({ length: 37 }, (_, at) => ({
    ref: `plot_${101 + at}`,
    label: `${['North', 'East', 'South', 'West'][at % 4]} ${['row', 'bed', 'corner'][(at * 2) % 3]} ${at + 1}`,
    area: 8 + ((at * 13) % 40),
    soil: soils[(at * 3) % 4] ?? '',
    keeper: handles[at % 4] ?? '',
    watered_at: at % 3 === 0 ? null : time(at),
    created_at: time(at),
  }))
  const notes: Note[] = Array.from({ length: 22 }, (_, at) => ({
    ref: `note_${201 + at}`,
    plot: `plot_${101 + (at % 9)}`,
    text: `Seen on round ${at + 1}`,
    keeper: handles[(at * 3 + 1) % 4] ?? '',
    created_at: time(40 + at),
  }))
  const sessions = new Map<string, Keeper>()
  const fail = (status: number, code: string, message: string): Reply => ({
    status,
    value: { code, message },
  })
  const show = ({ keeper, ...rest }: Plot | Note): object => ({
    ...rest,
    keeper: keepers.find(({ handle }) => handle === keeper),
  })

  function page(name: string, rows: readonly (Plot | Note)[], url: URL): Reply {
    const after = url.searchParams.get('after')
    const start = after === null ? 0 : Number(Buffer.from(after, 'base64url').toString())
    const count = numberOf(url, 'count', 10)
    const end = start + count
    const next = end < rows.length ? Buffer.from(String(end)).toString('base64url') : null
    const paging = { total: rows.length, next_cursor: next, has_more: next !== null }
    return { status: 200, value: { [name]: rows.slice(start, end).map(show), paging } }
  }

  function listPlots(url: URL): Reply {
    const { searchParams: query } = url
    const word = query.get('search')?.toLowerCase()
    const found = plots.filter(
      (plot) =>
        (!query.has('soil') || plot.soil === query.get('soil')) &&
        (!query.has('keeper') || plot.keeper === query.get('keeper')) &&
        (!query.has('min_area') || plot.area >= numberOf(url, 'min_area', 0)) &&
        (word === undefined || plot.label.toLowerCase().includes(word)),
    )
    const order = query.get('order_by') ?? 'created_at'
    const [field = '', direction = 'asc'] = order.split(':')
    const sign = direction === 'desc' ? -1 : 1
    const compare = (a: unknown, b: unknown): number =>
      a === b ? 0 : (a as number) < (b as number) ? -1 : 1
    return page(
      'plots',
      found.toSorted((a, b) => sign * compare(a[field], b[field])),
      url,
    )
  }

  return serveBackend((call: Call) => {
    const { method, url, headers, body = {} } = call
    const [, version, name = '', ref, child] = url.pathname.split('/')
    const sid = /garden_session=([^;]+)/.exec(headers.cookie ?? '')?.[1] ?? ''
    const user = sessions.get(sid)
    const request = `${method} ${[name, ref].filter(Boolean).join('/')}`
    if (version !== 'v3') return fail(404, 'no_route', 'There is nothing here')
    if (request === 'POST auth/session') {
      const keeper = keepers.find(({ handle }) => handle === body['handle'])
      if (!keeper || body['password'] !== password) {
        return fail(422, 'bad_login', 'Handle or password do not match')
      }
      const created = randomBytes(18).toString('base64url')
      sessions.set(created, keeper)
      const cookie = `garden_session=${created}; Path=/; HttpOnly`
      return { status: 200, value: { keeper }, headers: { 'Set-Cookie': cookie } }
    }
    if (!user) return fail(401, 'no_session', 'Log in first')
    if (request === 'DELETE auth/session') {
      sessions.delete(sid)
      return { status: 204 }
    }
    if (request === 'GET auth/session') return { status: 200, value: { keeper: user } }
    if (request === 'GET keepers') return { status: 200, value: { keepers } }
    if (name === 'keepers' && ref !== undefined) {
      const found = keepers.find(({ handle }) => handle === ref)
      if (!found) return fail(404, 'not_found', `No keeper ${ref}`)
      return { status: 200, value: found }
    }
    if (name !== 'plots') return fail(404, 'no_route', 'There is nothing here')
    if (ref === undefined) {
      if (method === 'GET') return listPlots(url)
      const missing = ['label', 'area'].filter(
        (field) => body[field] === undefined || body[field] === '',
      )
      if (missing.length > 0) {
        const errors = missing.map((field) => ({ field, problem: 'is missing' }))
        return { status: 422, value: { code: 'invalid', message: 'Please check the plot', errors } }
      }
      const plot: Plot = {
        ref: `plot_${101 + plots.length}`,
        label: String(body['label']),
        area: Number(body['area']),
        soil: typeof body['soil'] === 'string' ? body['soil'] : 'loam',
        keeper: user.handle,
        watered_at: null,
        created_at: new Date().toISOString(),
      }
      plots.push(plot)
      return {
        status: 201,
        value: show(plot),
        headers: { Location: `${url.pathname}/${plot.ref}` },
      }
    }
    const plot = plots.find((one) => one.ref === ref)
    if (!plot) return fail(404, 'not_found', `No plot ${ref}`)
    if (child === 'notes') {
      const own = notes.filter((note) => note.plot === ref)
      if (method === 'GET') return page('notes', own, url)
      const note: Note = {
        ref: `note_${201 + notes.length}`,
        plot: ref,
        text: String(body['text']),
        keeper: user.handle,
        created_at: new Date().toISOString(),
      }
      notes.push(note)
      return { status: 201, value: show(note) }
    }
    if (method === 'GET') return { status: 200, value: show(plot) }
    if (plot.keeper !== user.handle) return fail(403, 'not_yours', 'This plot has another keeper')
    if (child === 'water' && method === 'POST') {
      plot.watered_at = new Date().toISOString()
      return { status: 200, value: show(plot) }
    }
    if (method === 'DELETE') {
      plots.splice(plots.indexOf(plot), 1)
      return { status: 204 }
    }
    Object.assign(plot, body)
    return { status: 200, value: show(plot) }
  })
}

const login = { handle: 'moss', password }
const plot = { label: 'Shade bed', area: 12 }

/** Shared gardens, with the requests of their front end. */
export const gardens: Style = {
  name: 'gardens (cookie, cursors)',
  serve: serveGardens,
  headers: {},
  session: [
    'GET /v3/auth/session',
    'GET /v3/plots',
    ['POST /v3/auth/session', { ...login, password: 'wrong' }],
    ['POST /v3/auth/session', login, { as: 'login' }],
    'GET /v3/auth/session',
    'GET /v3/keepers',
    'GET /v3/keepers/fern',
    'GET /v3/keepers/nobody',
    ['GET /v3/plots', undefined, { as: 'first' }],
    ['GET /v3/plots?after={first.paging.next_cursor}', undefined, { as: 'second' }],
    ['GET /v3/plots?after={second.paging.next_cursor}', undefined, { as: 'third' }],
    'GET /v3/plots?after={third.paging.next_cursor}',
    'GET /v3/plots?count=5',
    'GET /v3/plots?soil=clay',
    'GET /v3/plots?soil=sand&count=4',
    'GET /v3/plots?keeper=fern',
    'GET /v3/plots?keeper=reed&count=3',
    'GET /v3/plots?min_area=30',
    'GET /v3/plots?min_area=40&soil=loam',
    'GET /v3/plots?search=north',
    'GET /v3/plots?search=corner&count=5',
    'GET /v3/plots?order_by=area:desc&count=5',
    'GET /v3/plots?order_by=area:asc&count=5',
    'GET /v3/plots?order_by=label:asc',
    'GET /v3/plots/plot_101',
    'GET /v3/plots/plot_102',
    'GET /v3/plots/plot_120',
    'GET /v3/plots/plot_999',
    'GET /v3/plots/plot_101/notes',
    'GET /v3/plots/plot_102/notes',
    'GET /v3/plots/plot_103/notes?count=2',
    'GET /v3/plots/plot_999/notes',
    ['POST /v3/plots', { label: '' }],
    ['POST /v3/plots', { area: 4 }],
    ['POST /v3/plots', plot, { as: 'made' }],
    'GET /v3/plots/{made.ref}',
    ['PATCH /v3/plots/{made.ref}', { soil: 'peat' }],
    ['PATCH /v3/plots/plot_102', { soil: 'peat' }],
    ['PATCH /v3/plots/plot_105', { label: 'Renamed' }],
    'GET /v3/plots/plot_105',
    ['POST /v3/plots/plot_101/water'],
    'GET /v3/plots/plot_101',
    ['POST /v3/plots/plot_103/water'],
    ['POST /v3/plots/plot_104/notes', { text: 'Snails' }],
    'GET /v3/plots/plot_104/notes',
    ['DELETE /v3/plots/plot_106'],
    ['DELETE /v3/plots/{made.ref}'],
    'GET /v3/plots/{made.ref}',
    ['DELETE /v3/auth/session'],
    'GET /v3/auth/session',
    ['POST /v3/auth/session', login],
  ],
  questions: [
    ['GET /v3/plots?count=7', undefined, { as: 'seven' }],
    'GET /v3/plots?count=7&after={seven.paging.next_cursor}',
    'GET /v3/plots?count=20',
    'GET /v3/plots?soil=peat',
    'GET /v3/plots?soil=loam&count=3',
    'GET /v3/plots?soil=nothing',
    'GET /v3/plots?keeper=moss',
    'GET /v3/plots?keeper=yarrow&count=4',
    'GET /v3/plots?keeper=fern&soil=sand',
    'GET /v3/plots?min_area=20&count=5',
    'GET /v3/plots?min_area=45',
    'GET /v3/plots?search=south',
    'GET /v3/plots?search=bed&count=4',
    'GET /v3/plots?search=west%20row',
    'GET /v3/plots?order_by=area:desc&count=3',
    'GET /v3/plots?order_by=label:desc&count=6',
    'GET /v3/plots?order_by=soil:asc&count=4',
    'GET /v3/plots/plot_107',
    'GET /v3/plots/plot_130',
    'GET /v3/plots/plot_998',
    'GET /v3/plots/plot_104/notes',
    'GET /v3/plots/plot_101/notes?count=1',
    'GET /v3/plots/plot_998/notes',
    'GET /v3/keepers/reed',
    'GET /v3/keepers/unknown',
    'GET /v3/auth/session',
    ['POST /v3/plots', { label: 'x' }],
    ['POST /v3/plots', { ...plot, label: 'Sunny bed', soil: 'clay' }, { as: 'made' }],
    'GET /v3/plots/{made.ref}',
    ['PATCH /v3/plots/{made.ref}', { area: 20 }],
    'GET /v3/plots?search=sunny',
    ['PATCH /v3/plots/plot_107', { area: 1 }],
    ['PATCH /v3/plots/plot_109', { area: 9 }],
    'GET /v3/plots/plot_109',
    ['POST /v3/plots/plot_113/water'],
    ['POST /v3/plots/plot_114/water'],
    ['POST /v3/plots/plot_110/notes', { text: 'Mulch' }],
    ['DELETE /v3/plots/plot_111'],
    ['DELETE /v3/plots/plot_117'],
    'GET /v3/plots/plot_117',
  ],
}
