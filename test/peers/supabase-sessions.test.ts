import { createClient } from '@supabase/supabase-js'
import { expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'

import { sessions } from '../../src/behaviours.ts'
import { supabase } from '../../src/dialects.ts'
import { createMock } from '../../src/index.ts'
import { serve } from '../../src/node.ts'
import { connect } from '../../src/remote.ts'

const names = Array.from({ length: 50 }, (_, at) => `test-${at}`)

const fixtures: Record<string, unknown> = {
  notes: [{ id: 1, text: 'of the fixtures' }],
  'storage/buckets': [{ id: 'letters', name: 'letters' }],
}

/** A test of an application in a session of its own, whose steps wait for those of all others. */
function createTest(url: string, session: string) {
  const client = createClient(url, 'any', {
    global: { headers: { 'X-Mock-Session': session } },
    auth: { persistSession: false, autoRefreshToken: false, storageKey: session },
    realtime: {
      transport: globalThis.WebSocket ?? WebSocket,
      params: { 'mock-session': session },
    },
  })
  const received: string[] = []
  const channel = client.channel('room', {
    config: { broadcast: { self: true, ack: true }, presence: { key: session } },
  })
  const letters = client.storage.from('letters')
  return {
    session,
    async open() {
      channel
        .on('postgres_changes', { event: '*', schema: 'public', table: 'notes' }, ({ new: row }) =>
          received.push((row as { text: string }).text),
        )
        .on('broadcast', { event: 'hello' }, ({ payload }) => received.push(String(payload.from)))
        .on('presence', { event: 'join' }, ({ key }) => received.push(`join ${key}`))
      await new Promise((resolve) => channel.subscribe(resolve))
    },
    async act() {
      await client.auth.signUp({ email: 'same@example.org', password: `secret-${session}` })
      await client.auth.signInWithOtp({ email: 'same@example.org' })
      await client.from('notes').insert({ text: `row of ${session}` })
      await letters.upload('same.txt', new Blob([`file of ${session}`]))
      await channel.track({})
      await channel.send({ type: 'broadcast', event: 'hello', payload: { from: session } })
    },
    async read() {
      // Frames arrive in order: this answer follows all that a socket got before.
      await channel.send({ type: 'broadcast', event: 'end', payload: {} })
      const password = `secret-${session}`
      const login = await client.auth.signInWithPassword({ email: 'same@example.org', password })
      const remote = connect<Record<string, object[]>>(url, { session })
      const seen = {
        login: login.error,
        accounts: (await remote.db['auth/users']?.all())?.length,
        mails: (await remote.db['auth/mails']?.all())?.length,
        notes: (await client.from('notes').select('text')).data?.map(({ text }) => text),
        file: await (await letters.download('same.txt')).data?.text(),
        files: (await letters.list()).data?.length,
        received: received.toSorted((a, b) => (a < b ? -1 : 1)),
        present: Object.keys(channel.presenceState()),
      }
      await client.removeAllChannels()
      await client.realtime.disconnect()
      return seen
    },
  }
}

it('keeps fifty tests on one server apart: rows, accounts, mails, files, messages', async () => {
  const mock = createMock({ fixtures, dialect: supabase, use: [sessions()] })
  const server = await serve(mock, { port: 0 })
  onTestFinished(() => server.close())
  const tests = names.map((name) => createTest(server.url, name))
  await Promise.all(tests.map((one) => one.open()))
  await Promise.all(tests.map((one) => one.act()))
  const seen = await Promise.all(tests.map((one) => one.read()))
  expect(seen).toEqual(
    names.map((name) => ({
      login: null,
      accounts: 1,
      mails: 1,
      notes: ['of the fixtures', `row of ${name}`],
      file: `file of ${name}`,
      files: 1,
      received: [`join ${name}`, `row of ${name}`, name],
      present: [name],
    })),
  )
  expect(mock.db['notes']?.count()).toBe(1)
})
