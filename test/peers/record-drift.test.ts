import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { type Io, main } from '../../src/cli/main.ts'
import { type Backend, createData, type Reply, serveBackend } from './backends/backend.ts'
import { createClient, type Step } from './backends/client.ts'
import { depot } from './backends/depot-session.ts'
import { houseLogin, housePassword, houseSession, serveHouse } from './backends/house.ts'
import { library } from './backends/library-session.ts'
import { magazineSession, serveMagazine } from './backends/magazine.ts'
import { startRecording } from './backends/recording.ts'
import { scripts, stepsOf } from './backends/scripts.ts'
import { shop } from './backends/shop-session.ts'

/** A back end, the session that is recorded, and the login of `mock drift`. */
interface Recorded {
  serve: () => Promise<Backend>
  session: readonly Step[]
  headers: Record<string, string>
  login?: Step
}

const gets = (base: string, paths: readonly string[]): Step[] =>
  paths.map((path) => `GET ${base}${path}`)

const backEnds: Record<string, Recorded> = {
  house: {
    serve: serveHouse,
    headers: houseLogin,
    session: [
      ['POST /api/v1/auth/login', { email: 'a@example.com', password: housePassword }],
      ...gets('/api/v1', houseSession),
    ],
  },
  magazine: { serve: serveMagazine, headers: {}, session: gets('', magazineSession) },
  'lists without paths of single records': {
    serve: () =>
      serveBackend(({ url }) =>
        url.pathname === '/tags'
          ? { status: 200, value: createData().posts }
          : { status: 404, value: { error: 'No such path' } },
      ),
    headers: {},
    session: ['GET /tags', 'GET /nothing'],
  },
  'lists that leave out a field, with one record seen whole': {
    serve: () => serveBackend(({ url }) => serveBriefly(url)),
    headers: {},
    session: gets('', ['/posts', '/posts?page=2', '/posts?page=3', '/posts/3']),
  },
  depot,
  library: { ...library, login: loginOf(library.session) },
  shop: { ...shop, login: loginOf(shop.session) },
  ...Object.fromEntries(
    Object.entries(scripts).map(([name, script]): [string, Recorded] => [
      name,
      {
        serve: script.serve,
        headers: name === 'Laravel' ? { Authorization: 'Bearer 1|laravel-secret' } : {},
        session: stepsOf(script).map((step): Step =>
          typeof step === 'string' ? step : [step[0], step[1], { headers: step[2] ?? {} }],
        ),
      },
    ]),
  ),
}

/** Serves pages of posts without their texts, the newest first, and single posts with their texts. */
function serveBriefly({ pathname, searchParams }: URL): Reply {
  const { posts } = createData()
  const id = /^\/posts\/(\d+)$/.exec(pathname)?.[1]
  const post = posts.find((post) => post.id === Number(id))
  if (post) return { status: 200, value: { ...post, text: `The text of post ${post.id}` } }
  if (pathname !== '/posts') return { status: 404, value: { error: 'Not found' } }
  const start = (Number(searchParams.get('page') ?? 1) - 1) * 10
  const data = posts.toReversed().slice(start, start + 10)
  return { status: 200, value: { data, total: posts.length } }
}

function loginOf(session: readonly Step[]): Step {
  return session.find((step) => typeof step !== 'string' && step[2]?.as === 'login') ?? ''
}

describe('mock drift straight after a recording', () => {
  it.each(Object.entries(backEnds))('reports nothing: %s', async (_name, backEnd) => {
    const folder = mkdtempSync(join(tmpdir(), 'fixtura-'))
    const backend = await backEnd.serve()
    onTestFinished(async () => {
      await backend.close()
      rmSync(folder, { recursive: true, force: true })
    })
    const recording = await startRecording(backend.origin, folder)
    const client = createClient(
      (path, init) => fetch(recording.url + path, init),
      [],
      backEnd.headers,
    )
    for (const step of backEnd.session) await client.send(step)
    await recording.close()
    const header = Object.entries(await headersOf(backEnd, backend.origin)).flatMap(
      ([name, value]) => ['--header', `${name}: ${value}`],
    )
    const { differences, skipped } = await drift([backend.origin, ...header], folder)
    expect({ differences, skipped }).toEqual({ differences: [], skipped: [] })
  })
})

async function headersOf(
  { headers, login }: Recorded,
  origin: string,
): Promise<Record<string, string>> {
  const client = createClient((path, init) => fetch(origin + path, init), [], {})
  const { value = {} } = login === undefined ? {} : await client.send(login)
  return Object.fromEntries(
    Object.entries(headers).map(([name, text]) => [
      name,
      text.replace(/\{login\.(\w+)\}/, (_, key: string) =>
        String((value as Record<string, unknown>)[key]),
      ),
    ]),
  )
}

/** Runs `mock drift --json` in a folder. */
async function drift(
  args: string[],
  cwd: string,
): Promise<{ differences: unknown[]; skipped: unknown[] }> {
  let text = ''
  const io: Io = {
    stdout: { write: (chunk: string) => void (text += chunk) },
    stderr: { write: () => undefined },
    stdin: {
      setEncoding: () => undefined,
      on: () => undefined,
      off: () => undefined,
      resume: () => undefined,
      pause: () => undefined,
    },
    env: {},
    cwd: () => cwd,
    on: () => undefined,
    off: () => undefined,
  }
  await main(['drift', ...args, '--json'], io)
  return JSON.parse(text) as { differences: unknown[]; skipped: unknown[] }
}
