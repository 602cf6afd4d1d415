import { describe, expect, it } from 'vitest'

import { parseSql } from '../../../../src/loader/text/sql.ts'

const uuid = expect.stringMatching(
  /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
)
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const values: [sql: string, value: unknown][] = [
  [`'it''s'`, "it's"],
  [`E'a\\n\\'b\\u00e9\\x41'`, "a\n'béA"],
  ['$$a $ b; -- c$$', 'a $ b; -- c'],
  ['$x$ $$ $x$', ' $$ '],
  ['NULL', null],
  ['true', true],
  ['-1.5e2', -150],
  ['(1)', 1],
  [`'{"a": [1, null]}'::jsonb`, { a: [1, null] }],
  [`CAST_IS_A_NAME`, undefined],
  [`'3'::int`, 3],
  [`'t'::boolean`, true],
  [`'a'::character varying(20)`, 'a'],
  [`'2026-01-01'::timestamp with time zone`, '2026-01-01'],
  [`ARRAY['a', 'b']::text[]`, ['a', 'b']],
  [`'{a,"b, c",NULL}'::text[]`, ['a', 'b, c', null]],
  [`'{1,2}'::public.ids[]`, ['1', '2']],
  [`'{1,2}'::int[]`, [1, 2]],
  ['now()', time],
  [`now() - interval '2 days 3 hours'`, time],
  [`timezone('utc'::text, now())`, time],
  [`now() at time zone 'utc'`, time],
  ['gen_random_uuid()', uuid],
  ['extensions.uuid_generate_v4()', uuid],
  [`extensions.crypt('secret', gen_salt('bf'))`, 'secret'],
  [`'a' || 'b' || 1`, 'ab1'],
  [`jsonb_build_object('a', 1, 'b', jsonb_build_array(true))`, { a: 1, b: [true] }],
  [`date '2026-01-01'`, '2026-01-01'],
  ['/* a */ 1 -- b', 1],
]

it.each(values)('reads %s', (sql, value) => {
  const { value: tables, warnings } = parseSql(`INSERT INTO t (a) VALUES (${sql}\n);`)
  if (value === undefined) expect(warnings).toHaveLength(1)
  else expect([tables, warnings]).toEqual([{ t: [{ a: value }] }, []])
})

describe('statements', () => {
  it('reads tables of any schema, quoted names, several rows and statements', () => {
    const { value, warnings } = parseSql(`
      BEGIN;
      insert into public."Post Tags" ("postId", "tag""s") values (1, 'a'), (2, DEFAULT);
      INSERT INTO "public"."posts" AS p (id) OVERRIDING SYSTEM VALUE VALUES (1) ON CONFLICT (id) DO NOTHING;
      INSERT INTO posts (id) VALUES (2) RETURNING id;
      INSERT INTO auth.users (id, email) VALUES ('u', 'a@b.c');
      COMMIT`)
    expect(warnings).toEqual([])
    expect(value).toEqual({
      'Post Tags': [{ postId: 1, 'tag"s': 'a' }, { postId: 2 }],
      posts: [{ id: 1 }, { id: 2 }],
      'auth/users': [{ id: 'u', email: 'a@b.c' }],
    })
  })

  it('skips anything else with a warning at its place', () => {
    const text = `create table t (a int);
INSERT INTO t (a) VALUES (1), ((SELECT 'x')), (3);
INSERT INTO t (a) SELECT 4;
DO $$ BEGIN INSERT INTO t (a) VALUES (5); END $$;
COPY t (a) FROM stdin;
6;
\\.
INSERT INTO t VALUES (7);
UPDATE t SET a = 8`
    const { value, warnings } = parseSql(text)
    expect(value).toEqual({ t: [{ a: 1 }, { a: 3 }] })
    const places = warnings.map(({ offset }) => text.slice(offset, offset + 6))
    expect(places).toEqual(['create', 'SELECT', 'SELECT', 'DO $$ ', 'COPY t', 'VALUES', 'UPDATE'])
  })

  it('reads the same values from the same text', () => {
    const text = 'INSERT INTO t (a, b) VALUES (gen_random_uuid(), now());'
    expect(parseSql(text)).toEqual(parseSql(text))
  })

  it.each([
    "INSERT INTO t (a) VALUES ('x",
    'INSERT INTO',
    'INSERT INTO t (a) VALUES (1',
    '(((',
    '$a$',
    '',
  ])('ends for the broken text %j', (text) => {
    expect(parseSql(text).value).toEqual(expect.any(Object))
  })

  it('sets no prototype', () => {
    const { value } = parseSql(
      `INSERT INTO __proto__ (x) VALUES (1); INSERT INTO t (__proto__) VALUES ('{}'::jsonb);`,
    )
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })
})
