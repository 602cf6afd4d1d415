import {
  createClient,
  REALTIME_SUBSCRIBE_STATES,
  type SupabaseClientOptions,
} from '@supabase/supabase-js'

import type { Database } from './database.types.ts'

/** Where a flow runs. */
export interface FlowOptions {
  url: string
  /** The options of the client: a fetch function, the transport of sockets, headers. */
  client?: SupabaseClientOptions<'public'>
  /** Moves the clock of the mock by so many minutes. */
  advance(minutes: number): Promise<unknown> | void
  hasSockets: boolean
}

/**
 * Runs what an application does with supabase-js: rows, logins, files and Realtime. Returns the results by step, which
 * are the same in a page, in a worker, over HTTP, with MSW and without a server.
 */
export async function runFlow(options: FlowOptions): Promise<Record<string, unknown>> {
  return {
    ...(await useRows(options)),
    ...(await useLogins(options)),
    ...(await useFiles(options)),
    ...(options.hasSockets ? await useRealtime(options) : {}),
  }
}

const ada = 'a0000000-0000-4000-8000-000000000001'

function connect({ url, client }: FlowOptions, key = 'any') {
  const auth = { persistSession: false, autoRefreshToken: false }
  return createClient<Database>(url, key, { ...client, auth: { ...auth, ...client?.auth } })
}

/** The data of a response, or its error. */
function read({ data, error }: { data: unknown; error: unknown }): unknown {
  if (!error) return data
  const { code, message } = error as { code?: string; message: string }
  return code ?? message
}

async function useRows(options: FlowOptions): Promise<Record<string, unknown>> {
  const client = connect(options)
  const posts = () => client.from('posts')
  const title = 'title'
  return {
    list: read(await posts().select('id, title').order('id')),
    filter: read(await posts().select(title).eq('status', 'published').gt('views', 10)),
    arrays: read(await posts().select(title).contains('tags', ['news'])),
    embed: read(await posts().select('title, authors(name)').eq('id', 2).single()),
    children: read(await client.from('authors').select('name, posts(title)').eq('id', ada)),
    page: await posts()
      .select(title, { count: 'exact' })
      .order('views', { ascending: false })
      .range(1, 1)
      .then(({ data, count }) => [data, count]),
    insert: read(
      await posts()
        .insert({ title: 'Fourth', meta: { a: [1] } })
        .select()
        .single(),
    ),
    unknownColumn: read(await posts().insert({ title: 'x', nope: 1 } as never)),
    missingColumn: read(await posts().insert({ views: 1 } as never)),
    missingParent: read(await posts().insert({ title: 'x', author_id: crypto.randomUUID() })),
    wrongEnum: read(await posts().insert({ title: 'x', status: 'gone' as never })),
    upsert: read(
      await posts()
        .upsert([
          { id: 4, title: 'Fourth', views: 40 },
          { id: 5, title: 'Fifth', views: 50 },
        ])
        .select('id, views'),
    ),
    update: read(await posts().update({ views: 41 }).eq('id', 4).select('id, views')),
    delete: read(await posts().delete().in('id', [4, 5]).select('id')),
    left: (await posts().select('*', { count: 'exact', head: true })).count,
    notFound: read(await posts().select().eq('id', 4).single()),
  }
}

async function useLogins(options: FlowOptions): Promise<Record<string, unknown>> {
  const { auth } = connect(options)
  const credentials = { email: 'cy@example.org', password: 'secret3' }
  const signUp = await auth.signUp({ ...credentials, options: { data: { name: 'Cy' } } })
  const isSignedIn = async () => (await auth.getUser()).error === null
  await auth.signOut()
  const wrong = read(await auth.signInWithPassword({ ...credentials, password: 'secret4' }))
  const login = await auth.signInWithPassword(credentials)
  const first = login.data.session
  const user = (await auth.getUser()).data.user
  await options.advance(61)
  const expired = (await auth.getUser()).error?.code
  const refreshed = await auth.refreshSession()
  const again = await auth.getUser()
  await options.advance(1)
  const reused = await auth.refreshSession({ refresh_token: first?.refresh_token ?? '' })
  await auth.signInWithPassword(credentials)
  await auth.signOut()
  return {
    signUp: [signUp.error, signUp.data.user?.user_metadata],
    wrongPassword: wrong,
    login: [login.error, user?.email],
    expired,
    refresh: [refreshed.error, refreshed.data.session?.access_token !== first?.access_token],
    refreshed: again.data.user?.email,
    reused: reused.error?.code,
    logout: [(await auth.getSession()).data.session, await isSignedIn()],
  }
}

async function useFiles(options: FlowOptions): Promise<Record<string, unknown>> {
  const letters = connect(options).storage.from('letters')
  const file = new Blob(['hello'], { type: 'text/plain' })
  const uploaded = await letters.upload('a/hello.txt', file, { metadata: { tone: 'warm' } })
  const signed = await letters.createSignedUrl('a/hello.txt', 60)
  return {
    upload: [uploaded.error, uploaded.data?.path],
    twice: (await letters.upload('a/hello.txt', file)).error?.message,
    download: await (await letters.download('a/hello.txt')).data?.text(),
    metadata: (await letters.info('a/hello.txt')).data?.metadata,
    files: (await letters.list('a')).data?.map(({ name }) => name),
    signed: signed.data?.signedUrl.startsWith(`${options.url}/storage/v1/object/sign/letters/a/`),
    removed: (await letters.remove(['a/hello.txt'])).data?.length,
  }
}

async function useRealtime(options: FlowOptions): Promise<Record<string, unknown>> {
  const [client, other] = [connect(options), connect(options)]
  const received: unknown[] = []
  let wake = (): void => undefined
  const add = (value: unknown): void => {
    received.push(value)
    wake()
  }
  const take = async (count: number): Promise<unknown[]> => {
    while (received.length < count) await new Promise<void>((resolve) => (wake = resolve))
    return received.splice(0)
  }
  const channel = client.channel('room', { config: { presence: { key: 'ada' } } })
  const table = { schema: 'public', table: 'posts' } as const
  channel
    .on('postgres_changes', { event: '*', ...table }, ({ eventType, new: row }) =>
      add([eventType, (row as { title?: string }).title]),
    )
    .on('postgres_changes', { event: 'UPDATE', ...table, filter: 'views=gte.60' }, ({ new: row }) =>
      add(['filtered', row['views']]),
    )
    .on('broadcast', { event: 'move' }, ({ payload }) => add(['move', payload]))
    .on('presence', { event: 'join' }, ({ key }) => add(['join', key]))
  await subscribed(channel)
  const second = other.channel('room', { config: { presence: { key: 'bob' } } })
  await subscribed(second)
  const posts = () => other.from('posts')
  await posts().insert({ id: 6, title: 'Sixth', views: 1 })
  const inserted = await take(1)
  await posts().update({ views: 60 }).eq('id', 6)
  const updated = await take(2)
  await posts().delete().eq('id', 6)
  const deleted = await take(1)
  await second.send({ type: 'broadcast', event: 'move', payload: { x: 1 } })
  const moved = await take(1)
  await second.track({ at: 'desk' })
  const present = await take(1)
  for (const one of [client, other]) {
    await one.removeAllChannels()
    await one.realtime.disconnect()
  }
  return { inserted, updated, deleted, moved, present }
}

/** Subscribes a channel, and waits for its answer. */
function subscribed(channel: ReturnType<ReturnType<typeof connect>['channel']>): Promise<void> {
  return new Promise((resolve, reject) => {
    channel.subscribe((status, error) => {
      if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) resolve()
      else reject(error ?? new Error(status))
    })
  })
}

/** The results of the steps; `hasSockets` adds those of Realtime. */
export function expectedFlow(hasSockets: boolean): Record<string, unknown> {
  return {
    list: [
      { id: 1, title: 'First' },
      { id: 2, title: 'Second' },
      { id: 3, title: 'Third' },
    ],
    filter: [{ title: 'Third' }],
    arrays: [{ title: 'First' }],
    embed: { title: 'Second', authors: { name: 'Bob' } },
    children: [{ name: 'Ada', posts: [{ title: 'First' }, { title: 'Third' }] }],
    page: [[{ title: 'Second' }], 3],
    insert: {
      author_id: null,
      id: 4,
      meta: { a: [1] },
      status: 'draft',
      tags: [],
      title: 'Fourth',
      views: 0,
    },
    unknownColumn: 'PGRST204',
    missingColumn: '23502',
    missingParent: '23503',
    wrongEnum: '22P02',
    upsert: [
      { id: 4, views: 40 },
      { id: 5, views: 50 },
    ],
    update: [{ id: 4, views: 41 }],
    delete: [{ id: 4 }, { id: 5 }],
    left: 3,
    notFound: 'PGRST116',
    signUp: [null, { name: 'Cy' }],
    wrongPassword: 'invalid_credentials',
    login: [null, 'cy@example.org'],
    expired: 'bad_jwt',
    refresh: [null, true],
    refreshed: 'cy@example.org',
    reused: 'refresh_token_already_used',
    logout: [null, false],
    upload: [null, 'a/hello.txt'],
    twice: 'The resource already exists',
    download: 'hello',
    metadata: { tone: 'warm' },
    files: ['hello.txt'],
    signed: true,
    removed: 1,
    ...(hasSockets && {
      inserted: [['INSERT', 'Sixth']],
      updated: [
        ['UPDATE', 'Sixth'],
        ['filtered', 60],
      ],
      deleted: [['DELETE', undefined]],
      moved: [['move', { x: 1 }]],
      present: [['join', 'bob']],
    }),
  }
}
