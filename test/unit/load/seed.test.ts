import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it, onTestFinished } from 'vitest'

import { supabase } from '../../../src/dialects.ts'
import { loadMock, watch } from '../../../src/node.ts'
import { loadFixtures } from '../../../src/loader/load.ts'
import { createFolder } from '../loader/folder.ts'

const seed = `
-- The users of the example.
INSERT INTO auth.users (instance_id, id, email, encrypted_password, raw_app_meta_data, raw_user_meta_data, confirmation_token)
VALUES ('00000000-0000-0000-0000-000000000000', '11111111-1111-4111-8111-111111111111', 'ada@example.org',
  crypt('secret', gen_salt('bf')), '{"provider":"email"}', '{"name":"Ada"}', '');
INSERT INTO public.todos (id, title, done, tags) VALUES
  (1, 'It''s one', false, '{a,b}'::text[]), (2, 'Two', true, NULL);
INSERT INTO storage.buckets (id, name, public) VALUES ('pics', 'pics', true);
SELECT setval('todos_id_seq', 2);
`

const login = (password = 'secret') =>
  new Request('http://x/auth/v1/token?grant_type=password', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.org', password }),
  })

it('serves the seed of a Supabase project, and its edits', async () => {
  const folder = createFolder({ 'supabase/seed.sql': seed })
  const mock = await loadMock({ cwd: folder })
  const todos = async () => (await mock.fetch(new Request('http://x/rest/v1/todos'))).json()
  expect(await todos()).toEqual([
    { id: 1, title: "It's one", done: false, tags: ['a', 'b'] },
    { id: 2, title: 'Two', done: true, tags: null },
  ])
  const response = await mock.fetch(login())
  expect(await response.json()).toMatchObject({
    user: {
      id: '11111111-1111-4111-8111-111111111111',
      user_metadata: { name: 'Ada' },
      app_metadata: { provider: 'email', providers: ['email'] },
    },
  })
  expect((await mock.fetch(login('wrong'))).status).toBe(400)
  const bucket = await mock.fetch(new Request('http://x/storage/v1/bucket/pics'))
  expect(await bucket.json()).toMatchObject({ public: true })
  onTestFinished((await watch(mock)).close)
  writeFileSync(
    join(folder, 'supabase/seed.sql'),
    "INSERT INTO todos (id, title, done, tags) VALUES (3, 'Three', true, NULL);",
  )
  await expect.poll(todos).toEqual([{ id: 3, title: 'Three', done: true, tags: null }])
  expect((await mock.fetch(login())).status).toBe(400)
})

it('serves a seed that is named, with any dialect', async () => {
  const folder = createFolder({
    'data.sql': seed,
    'fixtures/seed.sql': 'INSERT INTO a (id) VALUES (1);',
  })
  const named = await loadMock({ fixtures: 'data.sql', cwd: folder, dialect: supabase() })
  expect((await named.fetch(login())).status).toBe(200)
  const rest = await loadMock({ fixtures: 'fixtures', cwd: folder })
  expect(await (await rest.fetch(new Request('http://x/a/1'))).json()).toEqual({ id: 1 })
})

it('reports what it skips, with line and column', async () => {
  const folder = createFolder({ 'supabase/seed.sql': seed })
  const { diagnostics } = await loadFixtures(['supabase/seed.sql'], { cwd: folder })
  expect(diagnostics).toEqual([
    expect.objectContaining({
      severity: 'warning',
      file: 'supabase/seed.sql',
      line: 9,
      column: 1,
      message: 'Failed to load "supabase/seed.sql": SELECT is not executed, so that it is skipped.',
    }),
  ])
})

it.each<[string, string, number, number, number[]]>([
  ['a row with more values', '(1, 2, 3), (4, 5);', 2, 1, [4]],
  ['a row with fewer values', '(4, 5), (1);', 2, 9, [4]],
  ['a missing comma', '(4, 5) (1, 2);', 2, 8, [4]],
  ['a missing semicolon', '(4, 5)\nINSERT INTO a (id, b) VALUES (6, 7);', 3, 1, [4, 6]],
  ['a statement without one', '(4, 5);\nBEGIN\nINSERT INTO a (id) VALUES (6);', 4, 1, [4, 6]],
])('reports %s at its place', async (_, rows, line, column, ids) => {
  const cwd = createFolder({ 'seed.sql': `INSERT INTO a (id, b) VALUES\n${rows}` })
  const { diagnostics, sources } = await loadFixtures(['seed.sql'], { cwd })
  expect(diagnostics).toEqual([expect.objectContaining({ severity: 'warning', line, column })])
  expect(sources[0]?.value).toEqual(ids.map((id) => expect.objectContaining({ id })))
})

it('serves the columns of an edited schema', async () => {
  const todos = (column: string) =>
    JSON.stringify({ type: 'object', properties: { id: {}, [column]: { type: 'string' } } })
  const cwd = createFolder({ 'fixtures/todos.json': [], 'fixtures/todos.schema.json': todos('a') })
  const mock = await loadMock({ cwd, fixtures: 'fixtures', dialect: supabase })
  const select = async (column: string) =>
    (await mock.fetch(new Request(`http://x/rest/v1/todos?select=${column}`))).status
  expect([await select('a'), await select('b')]).toEqual([200, 400])
  onTestFinished((await watch(mock)).close)
  writeFileSync(join(cwd, 'fixtures/todos.schema.json'), todos('b'))
  await expect.poll(() => select('b')).toBe(200)
  expect(await select('a')).toBe(400)
})
