import { createServerClient } from '@supabase/ssr'
import { createClient, type SupabaseClientOptions } from '@supabase/supabase-js'
import { setupServer } from 'msw/node'
import { expect, it, onTestFinished } from 'vitest'

import { auth } from '../../src/behaviours.ts'
import { supabase, type SupabaseOptions } from '../../src/dialects.ts'
import { createManualClock, createMock, type MockOptions } from '../../src/index.ts'
import { handlers, strict } from '../../src/msw.ts'
import { serve } from '../../src/node.ts'

const adaId = '11111111-1111-4111-8111-111111111111'
const boId = '22222222-2222-4222-8222-222222222222'
const users = [
  { id: adaId, email: 'ada@example.org', password: 'secret', name: 'Ada' },
  { id: boId, email: 'bo@example.org', password: 'secret', name: 'Bo' },
]
const notes = [
  { id: 1, text: 'of Ada', user_id: adaId },
  { id: 2, text: 'of Bo', user_id: boId },
]
const ada = { email: 'ada@example.org', password: 'secret' }

// Node 20 has no WebSocket of its own, without which no client is created.
const realtime = { transport: function socket() {} as never }

function createBackend(options: SupabaseOptions = {}, config: Partial<MockOptions<object>> = {}) {
  const clock = createManualClock(Date.now())
  const fixtures: Record<string, unknown> = { users, notes }
  return createMock({ fixtures, clock, seed: 1, dialect: supabase(options), ...config })
}

async function open(options: SupabaseOptions = {}, config: Partial<MockOptions<object>> = {}) {
  const mock = createBackend(options, config)
  const server = await serve(mock, { port: 0 })
  onTestFinished(() => server.close())
  return { mock, url: server.url, client: connect(server.url) }
}

/** A client as pages create it, without the timer that refreshes its session. */
function connect(url: string, options: SupabaseClientOptions<'public'> = {}, key = 'any') {
  return createClient(url, key, {
    realtime,
    ...options,
    auth: { autoRefreshToken: false, persistSession: true, ...memory(), ...options.auth },
  })
}

type Mails = { all(): Record<string, string>[] }

function memory() {
  const items = new Map<string, string>()
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  }
  return { storage }
}

it('signs up, logs in, reads and changes the user, and logs out', async () => {
  const { client } = await open()
  const credentials = { email: 'cy@example.org', password: 'secret3' }
  const signed = await client.auth.signUp({ ...credentials, options: { data: { name: 'Cy' } } })
  expect(signed.error).toBeNull()
  expect(signed.data.user).toMatchObject({ user_metadata: { name: 'Cy' } })
  await client.auth.signOut()
  expect((await client.auth.getSession()).data.session).toBeNull()
  expect((await client.auth.signInWithPassword(credentials)).error).toBeNull()
  const { data, error } = await client.auth.updateUser({
    password: 'secret4',
    data: { name: 'Cyd' },
  })
  expect(error).toBeNull()
  expect(data.user).toMatchObject({ email: 'cy@example.org', user_metadata: { name: 'Cyd' } })
  const { data: claims } = await client.auth.getClaims()
  expect(claims?.claims).toMatchObject({ role: 'authenticated', aal: 'aal1' })
  const again = await client.auth.updateUser({ password: 'secret4' })
  expect(again.error?.code).toBe('same_password')
  await client.auth.signOut()
  expect((await client.auth.signInWithPassword(credentials)).error?.code).toBe(
    'invalid_credentials',
  )
})

it('changes an e-mail when both addresses have confirmed', async () => {
  const { client, mock, url } = await open()
  const mails = () => ((mock.db as Record<string, unknown>)['auth/mails'] as Mails).all()
  await client.auth.signInWithPassword(ada)
  const { data, error } = await client.auth.updateUser({ email: 'ada@new.example' })
  expect([error, data.user?.email, data.user?.new_email]).toEqual([
    null,
    ada.email,
    'ada@new.example',
  ])
  expect(mails().map(({ to }) => to)).toEqual(['ada@new.example', ada.email])
  await client.auth.resend({ type: 'email_change', email: ada.email })
  const [toNew, toCurrent] = mails()
  const link = await fetch(toCurrent?.['link'] ?? '', { redirect: 'manual' })
  expect(link.headers.get('location')).toMatch(/#message=Confirmation(?:\+|%20)link/)
  expect((await client.auth.getUser()).data.user?.email).toBe(ada.email)
  const token = toNew?.['code'] ?? ''
  const verified = await client.auth.verifyOtp({
    email: 'ada@new.example',
    token,
    type: 'email_change',
  })
  expect([verified.error, verified.data.user?.email, verified.data.user?.new_email]).toEqual([
    null,
    'ada@new.example',
    undefined,
  ])
  const again = { email: 'ada@new.example', password: 'secret' }
  expect((await connect(url).auth.signInWithPassword(again)).error).toBeNull()
  expect((await connect(url).auth.signInWithPassword(ada)).error?.code).toBe('invalid_credentials')
})

it('invites a user by a mail', async () => {
  const { client, mock, url } = await open()
  const { admin } = connect(url, {}, 'sb_secret_key').auth
  const email = 'dee@example.org'
  const invited = await admin.inviteUserByEmail(email, { data: { name: 'Dee' } })
  expect(invited.error).toBeNull()
  expect(invited.data.user).toMatchObject({ email, user_metadata: { name: 'Dee' } })
  expect(invited.data.user?.invited_at).toMatch(/^\d{4}-/)
  expect((await admin.inviteUserByEmail(email)).error?.code).toBe('email_exists')
  expect((await client.auth.admin.inviteUserByEmail('x@example.org')).error?.code).toBe('not_admin')
  const [mail] = ((mock.db as Record<string, unknown>)['auth/mails'] as Mails).all()
  const { data, error } = await client.auth.verifyOtp({
    token_hash: mail?.['token_hash'] ?? '',
    type: 'invite',
  })
  expect([error, data.user?.email]).toEqual([null, email])
  expect((await client.auth.updateUser({ password: 'secret5' })).error).toBeNull()
  const login = { email, password: 'secret5' }
  expect((await connect(url).auth.signInWithPassword(login)).error).toBeNull()
})

it('refreshes by the clock, and refuses a used refresh token', async () => {
  const { mock, client } = await open({}, { use: [auth({ protect: ['POST *'] })] })
  const first = (await client.auth.signInWithPassword(ada)).data.session
  expect((await client.from('notes').insert({ text: 'x' })).error).toBeNull()
  mock.clock.advance('61m')
  expect((await client.from('notes').insert({ text: 'x' })).status).toBe(401)
  const { data, error } = await client.auth.refreshSession()
  expect(error).toBeNull()
  expect(data.session?.access_token).not.toBe(first?.access_token)
  expect((await client.from('notes').insert({ text: 'x' })).error).toBeNull()
  const parallel = await client.auth.refreshSession({ refresh_token: first?.refresh_token ?? '' })
  expect(parallel.error).toBeNull()
  mock.clock.advance('11s')
  const reused = await client.auth.refreshSession({ refresh_token: first?.refresh_token ?? '' })
  expect(reused.error?.code).toBe('refresh_token_already_used')
  const after = await client.auth.refreshSession({
    refresh_token: data.session?.refresh_token ?? '',
  })
  expect(after.error?.code).toBe('refresh_token_not_found')
})

it('ends this session, the others, or all', async () => {
  const { url } = await open()
  const clients = [connect(url), connect(url), connect(url)] as const
  for (const one of clients) await one.auth.signInWithPassword(ada)
  const logged = () =>
    Promise.all(clients.map(async (one) => (await one.auth.getUser()).error === null))
  await clients[0].auth.signOut({ scope: 'local' })
  expect(await logged()).toEqual([false, true, true])
  await clients[1].auth.signOut({ scope: 'others' })
  expect(await logged()).toEqual([false, true, false])
  await clients[0].auth.signInWithPassword(ada)
  await clients[1].auth.signOut()
  expect(await logged()).toEqual([false, false, false])
})

it('logs in by the code and by the link of a mail', async () => {
  const { client, mock, url } = await open({ autoconfirm: false })
  const mails = () => (mock.db as Record<string, unknown>)['auth/mails'] as Mails
  expect(
    (await client.auth.signUp({ email: 'cy@example.org', password: 'secret3' })).error,
  ).toBeNull()
  const [signup] = mails().all()
  expect(signup).toMatchObject({ to: 'cy@example.org', type: 'signup' })
  const verified = await client.auth.verifyOtp({
    email: 'cy@example.org',
    token: signup?.['code'] ?? '',
    type: 'signup',
  })
  expect(verified.error).toBeNull()
  expect(verified.data.session).not.toBeNull()

  await client.auth.signInWithOtp({
    email: ada.email,
    options: { emailRedirectTo: 'http://localhost:5173/in' },
  })
  const [sent] = mails().all()
  expect(sent?.['link']).toContain(url)
  expect(mock.log.find('POST /auth/v1/otp')?.reason).toContain(sent?.['code'])
  const response = await fetch(sent?.['link'] ?? '', { redirect: 'manual' })
  const location = new URL(response.headers.get('location') ?? '')
  expect(location.origin + location.pathname).toBe('http://localhost:5173/in')
  const values = new URLSearchParams(location.hash.slice(1))
  expect(values.get('type')).toBe('magiclink')
  const tokens = {
    access_token: values.get('access_token') ?? '',
    refresh_token: values.get('refresh_token') ?? '',
  }
  expect((await client.auth.setSession(tokens)).data.user?.email).toBe(ada.email)
  const twice = await fetch(sent?.['link'] ?? '', { redirect: 'manual' })
  expect(twice.headers.get('location')).toContain('error_code=otp_expired')

  await client.auth.resetPasswordForEmail(ada.email)
  const [recovery] = mails().all()
  const token_hash = recovery?.['token_hash'] ?? ''
  mock.clock.advance('61m')
  const late = await client.auth.verifyOtp({ token_hash, type: 'recovery' })
  expect(late.error?.code).toBe('otp_expired')
})

it('logs in anonymously, and makes an account of it', async () => {
  const { client } = await open()
  const { data } = await client.auth.signInAnonymously()
  expect(data.user?.is_anonymous).toBe(true)
  const named = await client.auth.updateUser({ email: 'dee@example.org', password: 'secret5' })
  expect(named.data.user).toMatchObject({ is_anonymous: false, email: 'dee@example.org' })
})

it.each(['pkce', 'implicit'] as const)(
  'logs in by OAuth with the login page (%s)',
  async (flowType) => {
    const { url } = await open()
    const client = connect(url, { auth: { flowType } })
    const { data } = await client.auth.signInWithOAuth({
      provider: 'github',
      options: { redirectTo: 'http://localhost:5173/in', skipBrowserRedirect: true },
    })
    const cookies: string[] = []
    const visit = async (address: string, body?: URLSearchParams) => {
      const headers = { cookie: cookies.join('; '), origin: url }
      const init = body ? { method: 'POST', headers, body } : { headers }
      const response = await fetch(address, { redirect: 'manual', ...init })
      cookies.push(...response.headers.getSetCookie().map((one) => one.split(';', 1)[0] ?? ''))
      return response
    }
    const start = await visit(data.url ?? '')
    const page = await visit(start.headers.get('location') ?? '')
    const html = await page.text()
    expect(html).toContain('Ada')
    const field = (name: string) =>
      new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''
    const choice = new URLSearchParams({ login_token: field('login_token'), user: adaId })
    const chosen = await visit(`${url}/auth/v1/oauth/authorize/login`, choice)
    const back = await visit(chosen.headers.get('location') ?? '')
    const location = new URL(back.headers.get('location') ?? '')
    expect(location.origin + location.pathname).toBe('http://localhost:5173/in')
    if (flowType === 'implicit') {
      const values = new URLSearchParams(location.hash.slice(1))
      expect(values.get('token_type')).toBe('bearer')
      expect((await client.auth.getUser(values.get('access_token') ?? '')).data.user?.id).toBe(
        adaId,
      )
      return
    }
    const code = location.searchParams.get('code') ?? ''
    const other = await connect(url).auth.exchangeCodeForSession(code)
    expect(other.error).not.toBeNull()
    const { error, data: exchanged } = await client.auth.exchangeCodeForSession(code)
    expect(error).toBeNull()
    expect(exchanged.user?.id).toBe(adaId)
  },
)

it('sees the own rows alone, and all of them as the service role', async () => {
  const { client, url } = await open(
    {},
    { use: [auth({ protect: ['POST *'], owners: { notes: 'user_id' } })] },
  )
  const texts = async (one = client) =>
    (await one.from('notes').select()).data?.map((note) => note.text)
  expect(await texts()).toEqual([])
  await client.auth.signInWithPassword(ada)
  expect(await texts()).toEqual(['of Ada'])
  expect(await texts(connect(url, {}, 'sb_secret_key'))).toEqual(['of Ada', 'of Bo'])
  const service = `x.${btoa('{"role":"service_role"}')}.x`
  expect(await texts(connect(url, {}, service))).toEqual(['of Ada', 'of Bo'])
  const admin = connect(url, {}, 'sb_secret_key').auth.admin
  expect((await admin.listUsers()).data.users.map(({ email }) => email)).toEqual([
    'ada@example.org',
    'bo@example.org',
  ])
  const created = await admin.createUser({
    email: 'cy@example.org',
    password: 'secret3',
    email_confirm: true,
  })
  expect(created.error).toBeNull()
  const id = created.data.user?.id ?? ''
  expect(
    (await admin.updateUserById(id, { app_metadata: { plan: 'pro' } })).data.user?.app_metadata,
  ).toMatchObject({ plan: 'pro' })
  expect((await admin.deleteUser(id)).error).toBeNull()
  expect((await admin.getUserById(id)).error?.code).toBe('user_not_found')
})

it('keeps accounts of its own where the fixtures have none', async () => {
  const { client, mock } = await open({}, { fixtures: { notes } })
  const { data } = await client.auth.signUp({ email: 'cy@example.org', password: 'secret3' })
  expect(data.user?.id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4/)
  expect((await client.auth.getUser()).data.user?.email).toBe('cy@example.org')
  mock.reset()
  expect((await client.auth.getUser()).error).not.toBeNull()
  expect(
    (await client.auth.signInWithPassword({ email: 'cy@example.org', password: 'secret3' })).error
      ?.code,
  ).toBe('invalid_credentials')
})

it('logs in on MSW and on mock.fetch', async () => {
  const mock = createBackend()
  const server = setupServer(...handlers(mock))
  server.listen(strict())
  onTestFinished(() => server.close())
  const overMsw = connect('http://localhost:54321')
  expect((await overMsw.auth.signInWithPassword(ada)).data.user?.id).toBe(adaId)
  const fetchMock = (input: RequestInfo | URL, init?: RequestInit) =>
    mock.fetch(new Request(input, init))
  const direct = connect('http://mock.test', { global: { fetch: fetchMock } })
  expect((await direct.auth.signInWithPassword(ada)).data.user?.id).toBe(adaId)
  expect((await direct.auth.getUser()).data.user?.user_metadata).toEqual({ name: 'Ada' })
})

it('logs in with the cookies of @supabase/ssr', async () => {
  const { mock, url } = await open()
  const jar = new Map<string, string>()
  const cookies = {
    getAll: () => Array.from(jar, ([name, value]) => ({ name, value })),
    setAll(all: { name: string; value: string }[]) {
      for (const { name, value } of all) jar.set(name, value)
    },
  }
  const login = createServerClient(url, 'any', { cookies, realtime })
  expect((await login.auth.signInWithPassword(ada)).error).toBeNull()
  const page = createServerClient(url, 'any', { cookies, realtime })
  expect((await page.auth.getUser()).data.user?.email).toBe(ada.email)
  await page.auth.refreshSession()
  mock.clock.advance('5m')
  const next = createServerClient(url, 'any', { cookies, realtime })
  expect((await next.auth.getUser()).data.user?.email).toBe(ada.email)
})
