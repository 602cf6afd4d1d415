import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Backend } from './backends/backend.ts'
import {
  houseLogin,
  housePassword,
  houseQuestions,
  houseSession,
  serveHouse,
} from './backends/house.ts'
import { magazineQuestions, magazineSession, serveMagazine } from './backends/magazine.ts'
import { loadRecorded, readAll } from './backends/play.ts'
import { startRecording } from './backends/recording.ts'

/** A response as it is compared, with the origin of the mock in place of the real one. */
interface Seen {
  status: number
  type: string
  location: string | null
  link: string | null
  body: string
}

const mockOrigin = 'http://mock.test'

/** A back end in a style of its own, and what is asked of it. */
interface Style {
  name: string
  serve: () => Promise<Backend>
  base: string
  headers: Record<string, string>
  /** The passwords with which the client logs in; the first is wrong. */
  passwords: readonly string[]
  session: readonly string[]
  questions: readonly string[]
  /** The questions whose answers differ in a field: the cursors of the mock are its own. */
  different: readonly string[]
}

const styles: Style[] = [
  {
    name: 'envelopes with "success", pages, nested lists, files and cursors',
    serve: serveHouse,
    base: '/api/v1',
    headers: houseLogin,
    passwords: ['wrong', housePassword],
    session: houseSession,
    questions: houseQuestions,
    different: ['/events?limit=7'],
  },
  {
    name: 'offsets, links in envelopes and headers, and the newest first',
    serve: serveMagazine,
    base: '',
    headers: {},
    passwords: [],
    session: magazineSession,
    questions: magazineQuestions,
    different: [],
  },
]

/** A recording of a session, and the mock of the recording. */
interface Recorded extends Style {
  folder: string
  backend: Backend
  ask: (path: string) => Promise<Seen>
}

const recorded = new Map<string, Recorded>()

beforeAll(async () => {
  for (const style of styles) recorded.set(style.name, await record(style))
})

afterAll(async () => {
  for (const { backend, folder } of recorded.values()) {
    await backend.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

async function record(style: Style): Promise<Recorded> {
  const { base, headers } = style
  const folder = mkdtempSync(join(tmpdir(), 'fixtura-'))
  const backend = await style.serve()
  const recording = await startRecording(backend.origin, folder)
  const send = async (path: string, init: RequestInit): Promise<void> => {
    const response = await fetch(recording.url + base + path, { redirect: 'manual', ...init })
    await response.arrayBuffer()
  }
  for (const password of style.passwords) {
    const body = JSON.stringify({ email: 'a@example.com', password })
    const json = { 'Content-Type': 'application/json' }
    await send('/auth/login', { method: 'POST', body, headers: json })
  }
  for (const path of style.session) await send(path, { headers })
  await recording.close()
  const mock = await loadRecorded(folder)
  const ask = async (path: string): Promise<Seen> =>
    toSeen(await mock.fetch(mockOrigin + base + path, { headers, redirect: 'manual' }))
  return { ...style, folder, backend, ask }
}

function recordedOf(name: string): Recorded {
  const found = recorded.get(name)
  if (!found) throw new Error(`No recording of ${name}.`)
  return found
}

describe.each(styles)('a mock of a recording: $name', ({ name, session, questions, different }) => {
  it('answers every recorded GET as recorded', async () => {
    const rows = await compareAll(recordedOf(name), session)
    expect(rows.filter(({ isEqual }) => !isEqual).map(({ path }) => path)).toEqual([])
  })

  it('answers 40 questions that were not recorded with the right records, order and total', async () => {
    const rows = await compareAll(recordedOf(name), questions)
    expect(rows).toHaveLength(40)
    expect(rows.filter(({ isRight }) => !isRight).map(({ path }) => path)).toEqual([])
  })

  it('answers them equally to the last field', async () => {
    const rows = await compareAll(recordedOf(name), questions)
    expect(rows.filter(({ isEqual }) => !isEqual).map(({ path }) => path)).toEqual(different)
  })

  it('has no origin of the real API and no credential', () => {
    const { folder, backend, passwords } = recordedOf(name)
    const config = readFileSync(join(folder, 'mock.config.jsonc'), 'utf8')
    expect(config).not.toContain(backend.origin)
    const text = readAll(folder)
    const secrets = [houseLogin.Authorization.slice(7), ...passwords.slice(1)]
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  })
})

it('follows cursors to the last page', async () => {
  const { ask } = recordedOf(styles[0]?.name ?? '')
  const ids: number[] = []
  for (let path = '/events?limit=8'; path !== '';) {
    const { data, nextCursor } = JSON.parse((await ask(path)).body) as {
      data: { id: number }[]
      nextCursor: string | null
    }
    ids.push(...data.map(({ id }) => id))
    path = nextCursor === null ? '' : `/events?limit=8&cursor=${nextCursor}`
  }
  expect(ids).toEqual(Array.from({ length: 35 }, (_, at) => 5000 - at))
})

interface Row {
  path: string
  /** Whether status, records, order and total are right. */
  isRight: boolean
  isEqual: boolean
}

async function compareAll(
  { backend, base, headers, ask }: Recorded,
  paths: readonly string[],
): Promise<Row[]> {
  const rows: Row[] = []
  for (const path of paths) {
    const real = await fetch(backend.origin + base + path, { headers, redirect: 'manual' })
    const wanted = await toSeen(real, backend.origin)
    const answer = await ask(path)
    // The mock has the header `Link` for every page.
    const found = wanted.link === null ? { ...answer, link: null } : answer
    const isEqual = JSON.stringify(found) === JSON.stringify(wanted)
    rows.push({ path, isEqual, isRight: isRight(found, wanted) })
  }
  return rows
}

async function toSeen(response: Response, origin = mockOrigin): Promise<Seen> {
  const move = (text: string): string => text.replaceAll(origin, mockOrigin)
  const { status, headers } = response
  const type = (headers.get('Content-Type') ?? '').replace(/; charset=utf-8$/i, '')
  const bytes = Buffer.from(await response.arrayBuffer())
  const text = type.startsWith('image/') ? bytes.toString('base64') : bytes.toString()
  const location = headers.get('Location')
  const link = headers.get('Link')
  return {
    status,
    type,
    location: location === null ? null : move(location),
    link: link === null ? null : toLinks(move(link)),
    // The order of members does not count.
    body: /json/.test(type) ? JSON.stringify(sortKeys(JSON.parse(move(text)))) : text,
  }
}

/** The links to the next and the previous page; a mock may have others. */
function toLinks(header: string): string | null {
  const links = header.split(/,\s*(?=<)/).filter((one) => /rel="(?:next|prev)"/.test(one))
  return links.length === 0 ? null : links.toSorted().join(', ')
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)]))
}

function isRight(found: Seen, wanted: Seen): boolean {
  return found.status === wanted.status && essence(found) === essence(wanted)
}

function essence({ type, body }: Seen): string {
  if (!/json/.test(type)) return body
  const value = JSON.parse(body) as unknown
  const {
    data,
    items,
    pagination = {},
    meta = {},
  } = value as Record<string, Record<string, unknown> | undefined>
  const records = Array.isArray(value) ? value : (data ?? items ?? value)
  const idOf = (one: unknown): unknown => (one as { id?: unknown } | null)?.id
  const ids = Array.isArray(records) ? records.map(idOf) : idOf(records)
  return JSON.stringify([ids, pagination['totalItems'], meta['total']])
}
