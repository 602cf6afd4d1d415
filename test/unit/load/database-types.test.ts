import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it, onTestFinished } from 'vitest'

import { loadMock, watch } from '../../../src/node.ts'
import { loadFixtures } from '../../../src/loader/load.ts'
import { createFolder } from '../loader/folder.ts'

/** As `supabase gen types typescript` writes it, in short. */
const types = `export type Json =
  | string
  | number
  | boolean
  | null
  | { [key: string]: Json | undefined }
  | Json[]

export type Database = {
  // Allows to automatically instantiate createClient with right options
  __InternalSupabase: {
    PostgrestVersion: "13.0.4"
  }
  graphql_public: {
    Tables: {
      [_ in never]: never
    }
  }
  public: {
    Tables: {
      profiles: {
        Row: {
          avatar_url: string | null
          id: string
          name: string
        }
        Insert: {
          avatar_url?: string | null
          id: string
          name: string
        }
        Update: {
          avatar_url?: string | null
          id?: string
          name?: string
        }
        Relationships: []
      }
      todos: {
        Row: {
          created_at: string
          done: boolean
          id: number
          meta: Json | null
          owner: string | null
          "see-also": number[]
          status: Database["public"]["Enums"]["status"]
          tags: string[] | null
        }
        Insert: {
          created_at?: string
          done?: boolean
          id?: never
          meta?: Json | null
          owner?: string | null
          "see-also"?: number[]
          status: Database["public"]["Enums"]["status"]
          tags?: string[] | null
        }
        Update: {
          id?: never
        }
        Relationships: [
          {
            foreignKeyName: "todos_owner_fkey"
            columns: ["owner"]
            isOneToOne: false
            referencedRelation: "open_todos"
            referencedColumns: ["owner"]
          },
          {
            foreignKeyName: "todos_owner_fkey"
            columns: ["owner"]
            isOneToOne: false
            referencedRelation: "profiles"
            referencedColumns: ["id"]
          },
        ]
      }
    }
    Views: {
      open_todos: {
        Row: {
          id: number | null
          owner: string | null
          status: Database["public"]["Enums"]["status"] | null
        }
        Relationships: []
      }
    }
    Functions: {
      count_todos: {
        Args: { since: string; deep?: boolean }
        Returns: {
          n: number
        }[]
      } | { Args: Record<PropertyKey, never>; Returns: undefined }
    }
    Enums: {
      status: "open" | "it's closed"
    }
    CompositeTypes: {
      [_ in never]: never
    }
  }
}

type DatabaseWithoutInternals = Omit<Database, "__InternalSupabase">
export const Constants = { public: { Enums: { status: ["open", "it's closed"] } } } as const
`

const prettier = types
  .replaceAll(/(?<=[\w>\]}"]|null)$(?!\n+(?:export|type))/gm, ';')
  .replaceAll('export type Database =', 'export interface Database')
  .replaceAll("it's", 'is')
  .replaceAll('"', "'")

const constraint = { constraint: 'todos_owner_fkey', isOneToOne: false }

const todos = {
  type: 'object',
  required: ['status'],
  properties: {
    created_at: { type: 'string', default: 'now()' },
    done: { type: 'boolean', default: false },
    id: { type: 'number' },
    meta: {},
    owner: { type: ['string', 'null'] },
    'see-also': { type: 'array', items: { type: 'number' }, default: [] },
    status: { type: 'string', title: 'status', enum: ['open', "it's closed"] },
    tags: { type: ['array', 'null'], items: { type: 'string' } },
  },
  'x-foreign-keys': [
    { key: 'owner', parent: 'open_todos', far: 'owner', isChecked: false, ...constraint },
    { key: 'owner', parent: 'profiles', far: 'id', isChecked: true, ...constraint },
  ],
}

it('reads tables, views and enums as schemas of empty collections', async () => {
  const cwd = createFolder({ 'database.types.ts': types })
  const { schemas, sources, diagnostics } = await loadFixtures(['database.types.ts'], { cwd })
  expect(diagnostics).toEqual([])
  expect(schemas['todos']).toEqual(todos)
  expect(schemas['open_todos']).toMatchObject({
    required: [],
    properties: {
      id: { type: ['number', 'null'] },
      status: { title: 'status', type: ['string', 'null'], enum: ['open', "it's closed", null] },
    },
  })
  expect(sources.map(({ name, value }) => [name, value])).toEqual([
    ['open_todos', []],
    ['profiles', []],
    ['todos', []],
  ])
})

it('reads what Prettier and older generators write', async () => {
  const cwd = createFolder({ 'database.types.ts': prettier })
  const { schemas, diagnostics } = await loadFixtures(['database.types.ts'], { cwd })
  expect(diagnostics).toEqual([])
  const text = JSON.stringify(todos).replaceAll("it's", 'is')
  expect(schemas['todos']).toEqual(JSON.parse(text))
})

it.each([
  ['export type Other = {}', 'it has no type Database with the tables of "public"', 1, 1],
  ['export type Database = {\n  public: { Tables: = }\n}', '"=" is not expected here', 2, 21],
  ['export type Database = {\n  public: {', 'the end is not expected here', 2, 12],
  ['type Database = {\n  public: { Tables: {} Views: {} }\n}', '"V" is not expected here', 2, 24],
  ['', 'it has no type Database with the tables of "public"', 1, 1],
])('refuses %j', async (text, problem, line, column) => {
  const cwd = createFolder({ 'database.types.ts': text })
  const { diagnostics } = await loadFixtures(['database.types.ts'], { cwd })
  const message = `Failed to load "database.types.ts": ${problem}.`
  expect(diagnostics).toEqual([
    expect.objectContaining({ severity: 'error', message, line, column }),
  ])
  expect(diagnostics[0]?.advice).toContain('npx supabase gen types typescript')
})

type Ask = (request: string, body?: unknown) => Promise<{ status: number; body: unknown }>

async function open(files: Record<string, string>) {
  const cwd = createFolder(files)
  const mock = await loadMock({ cwd })
  const ask: Ask = async (request, body) => {
    const [method = '', path = ''] = request.split(' ')
    const headers = { 'content-type': 'application/json', prefer: 'return=representation' }
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const response = await mock.fetch(new Request(`http://x/rest/v1/${path}`, init))
    return { status: response.status, body: await response.json() }
  }
  return { cwd, mock, ask }
}

const code = (status: number, code: string, message: unknown = expect.any(String)) => ({
  status,
  body: expect.objectContaining({ code, message }),
})

it('serves a project that has only types', async () => {
  const { cwd, mock, ask } = await open({ 'src/database.types.ts': types })
  expect(await ask('GET todos?select=status,tags,owner')).toEqual({ status: 200, body: [] })
  expect(await ask('GET open_todos?status=eq.open')).toEqual({ status: 200, body: [] })
  expect(await ask('GET todos?select=state')).toEqual(code(400, '42703'))
  expect(await ask('POST todos', { state: 'open' })).toEqual(code(400, 'PGRST204'))
  expect(await ask('POST todos', { done: true })).toEqual(code(400, '23502'))
  const label = 'invalid input value for enum status: "shut"'
  expect(await ask('POST todos', { status: 'shut' })).toEqual(code(400, '22P02', label))
  expect(await ask('GET todos?status=eq.shut')).toEqual(code(400, '22P02', label))
  const nulled = 'null value in column "done" of relation "todos" violates not-null constraint'
  expect(await ask('POST todos', { status: 'open', done: null })).toEqual(
    code(400, '23502', nulled),
  )
  expect(await ask('POST todos', { status: 'open', owner: 'ada' })).toEqual(
    code(
      409,
      '23503',
      'insert or update on table "todos" violates foreign key constraint "todos_owner_fkey"',
    ),
  )
  expect((await ask('POST profiles', { id: 'ada', name: 'Ada' })).status).toBe(201)
  expect(await ask('POST todos', { status: 'open', owner: 'ada', meta: [1] })).toEqual({
    status: 201,
    body: [
      {
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        done: false,
        id: 1,
        meta: [1],
        owner: 'ada',
        'see-also': [],
        status: 'open',
        tags: null,
      },
    ],
  })
  expect(await ask('PATCH todos?id=eq.1', { done: true })).toMatchObject({ status: 200 })
  const ada = { avatar_url: null, id: 'ada', name: 'Ada' }
  for (const embed of ['profiles(*)', 'profiles:profiles!todos_owner_fkey(*)']) {
    expect(await ask(`GET todos?select=id,${embed}`)).toEqual({
      status: 200,
      body: [{ id: 1, profiles: ada }],
    })
  }
  expect(await ask('GET profiles?select=name,todos(done)')).toEqual({
    status: 200,
    body: [{ name: 'Ada', todos: [{ done: true }] }],
  })
  onTestFinished((await watch(mock)).close)
  const bob = { id: 'bob', full_name: 'Bob' }
  expect(await ask('POST profiles', bob)).toEqual(code(400, 'PGRST204'))
  writeFileSync(
    join(cwd, 'src/database.types.ts'),
    types.replaceAll(' name: string', ' full_name: string'),
  )
  await expect
    .poll(() => ask('POST profiles', bob), { timeout: 9000 })
    .toMatchObject({ status: 201 })
})

it('serves types with a seed', async () => {
  const { ask } = await open({
    'supabase/database.types.ts': types,
    'supabase/seed.sql': `INSERT INTO todos (id, status, tags, meta, done, "see-also") VALUES
      ('7', 'open', NULL, NULL, 'f', '{}'), (8, '12', '{12,b}', '[{"a": 1}]', 't', '{1,2}');`,
  })
  expect(await ask('GET todos?select=id,status,tags,meta,done,see-also')).toEqual({
    status: 200,
    body: [
      { id: 7, status: 'open', tags: null, meta: null, done: false, 'see-also': [] },
      { id: 8, status: '12', tags: ['12', 'b'], meta: [{ a: 1 }], done: true, 'see-also': [1, 2] },
    ],
  })
  expect(await ask('GET profiles')).toEqual({ status: 200, body: [] })
  expect(await ask('POST todos', { status: 'open' })).toMatchObject({ body: [{ id: 9 }] })
})
