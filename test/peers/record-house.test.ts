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

let folder: string
let backend: Backend
let ask: (path: string, headers?: Record<string, string>) => Promise<Seen>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fixtura-'))
  backend = await serveHouse()
  const recording = await startRecording(backend.origin, folder)
  const send = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${recording.url}/api/v1${path}`, { redirect: 'manual', ...init })
  for (const password of ['wrong', housePassword]) {
    const body = JSON.stringify({ email: 'a@example.com', password })
    const headers = { 'Content-Type': 'application/json' }
    await send('/auth/login', { method: 'POST', body, headers }).then((one) => one.text())
  }
  for (const path of houseSession) {
    await send(path, { headers: houseLogin }).then((one) => one.arrayBuffer())
  }
  await recording.close()
  const mock = await loadRecorded(folder)
  ask = async (path, headers = houseLogin) =>
    toSeen(await mock.fetch(`${mockOrigin}/api/v1${path}`, { headers, redirect: 'manual' }))
})

afterAll(async () => {
  await backend.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('a mock of a recording of a back end in a style of its own', () => {
  it('answers every recorded GET as recorded', async () => {
    const rows = await compareAll(houseSession)
    expect(rows.filter(({ isEqual }) => !isEqual).map(({ path }) => path)).toEqual([])
  })

  it('answers questions that were not recorded', async () => {
    const rows = await compareAll(houseQuestions)
    expect(rows).toHaveLength(40)
    expect(rows.filter(({ isRight }) => !isRight).map(({ path }) => path)).toEqual([])
    // The cursors of the mock are its own.
    const different = rows.filter(({ isEqual }) => !isEqual).map(({ path }) => path)
    expect(different).toEqual(['/events?limit=7'])
  })

  it('follows cursors to the last page', async () => {
    const ids: number[] = []
    for (let path = '/events?limit=8'; path !== '';) {
      const { body } = await ask(path)
      const { data, nextCursor } = JSON.parse(body) as {
        data: { id: number }[]
        nextCursor: string | null
      }
      ids.push(...data.map(({ id }) => id))
      path = nextCursor === null ? '' : `/events?limit=8&cursor=${nextCursor}`
    }
    expect(ids).toEqual(Array.from({ length: 35 }, (_, at) => 5000 - at))
  })

  it('writes no origin of the real API and no credential', () => {
    const text = readAll(folder)
    const config = readFileSync(join(folder, 'mock.config.jsonc'), 'utf8')
    const projects = readFileSync(join(folder, 'fixtures/projects.json'), 'utf8')
    expect(config + projects).not.toContain('http://')
    expect(text).not.toContain(houseLogin.Authorization.slice(7))
    expect(text).not.toContain(housePassword)
  })
})

interface Row {
  path: string
  /** Whether status, records, order and total are right. */
  isRight: boolean
  isEqual: boolean
}

async function compareAll(paths: readonly string[]): Promise<Row[]> {
  const rows: Row[] = []
  for (const path of paths) {
    const real = await fetch(`${backend.origin}/api/v1${path}`, {
      headers: houseLogin,
      redirect: 'manual',
    })
    const wanted = await toSeen(real, backend.origin)
    const found = await ask(path)
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
  const { data, pagination } = JSON.parse(body) as {
    data?: unknown
    pagination?: { totalItems?: number }
  }
  const idOf = (one: unknown): unknown => (one as { id?: unknown } | null)?.id
  return JSON.stringify([Array.isArray(data) ? data.map(idOf) : idOf(data), pagination?.totalItems])
}
