import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { describe, expect, it, onTestFinished } from 'vitest'

import type { Json } from '../../src/core/json/json.ts'
import { createShapes } from '../../src/core/shape/shapes.ts'
import { toSources } from '../../src/core/shape/sources.ts'
import { toTypescript } from '../../src/core/shape/typescript/to-typescript.ts'
import { fc } from '../fast-check.ts'
import { databases } from '../openapi/databases.ts'
import { seed } from '../seed.ts'
import { records } from '../unit/core/shape/random-records.ts'

const root = join(import.meta.dirname, '../..')

/** Data whose names and values are unusual. */
const unusual: Record<string, Json> = {
  posts: [{ id: 1, 'a b': "it's", 'x"y': '\n', '\u2028': 1, constructor: null, 0: true, '': 2 }],
  post: [{ id: '\\' }],
  'v1/order-items': [{ id: 1, items: [{ a: 1 }, 'x', null, [1]], nothing: {}, none: [] }],
  records: [],
  string: { type: 'string', any: [[[]]] },
  class: 'x',
  'a*/b': [{ id: 1 }],
  '🎉': [1, 'a', null, { b: 1 }],
  '2024': 5,
  nobody: null,
  用户: [{ id: 1, 名: 'x' }],
}

/** Declares the data with the generated types, so that the compiler compares the two. */
function toProgram(data: Record<string, Json>): string {
  const json = JSON.stringify(data).replaceAll('\u2028', String.raw`\u2028`)
  return `import type { Fixtures } from './fixtures'\nexport const data: Fixtures = ${json}\n`
}

/** Code that uses the types with a mock; the compiler expects an error in the line below each directive. */
const use = `import type { Fixtures, Post, PostInput, Profile } from './fixtures'
import { createMock } from 'fixtura'

declare const data: Fixtures
const mock = createMock<Fixtures>({ fixtures: data })
export const title: string | undefined = mock.db.posts.get(1)?.title
export const post: Post = mock.db.posts.insert({ title: 'x' })
export const profile: Profile = mock.db.profile.update({ theme: 'dark' })
export const colours: string[] = mock.db.colours.get()
export const input: PostInput = { title: 'x', author: { name: 'Ada' } }
// @ts-expect-error -- A wrong type.
mock.db.posts.insert({ title: 1 })
// @ts-expect-error -- An unknown field.
mock.db.posts.update(1, { titel: 'x' })
// @ts-expect-error -- An unknown resource.
mock.db.post.all()
// @ts-expect-error -- A document has no records.
mock.db.colours.insert('red')
// @ts-expect-error -- A missing field.
export const incomplete: PostInput = { author: { name: 'Ada' } }
// @ts-expect-error -- A record has an id.
export const lacking: Post = { title: 'x', author: { name: 'Ada' } }
`
const used: Record<string, Json> = {
  posts: [{ id: 1, title: 'Hello there', author: { name: 'Ada L' } }],
  profile: { theme: 'dark mode' },
  colours: ['dark red'],
}

describe('the types of fixtures', () => {
  it.each(['typescript50', 'typescript59', 'typescript'])('compile with %s', async (compiler) => {
    const folder = mkdtempSync(join(tmpdir(), 'fixtura-types-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const add = (name: string, data: Record<string, Json>, program: string): void => {
      mkdirSync(join(folder, name))
      writeFileSync(
        join(folder, name, 'fixtures.d.ts'),
        toTypescript(createShapes()(toSources(data))),
      )
      writeFileSync(join(folder, name, 'use.ts'), program)
    }
    add('unusual', unusual, toProgram(unusual))
    add('used', used, use)
    for (const [name, data] of Object.entries(databases)) {
      add(name, data as Record<string, Json>, toProgram(data as Record<string, Json>))
    }
    for (const [at, things] of fc.sample(records, { numRuns: 20, seed }).entries()) {
      add(`random-${at}`, { things }, toProgram({ things }))
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    expect(await compile(compiler, folder)).toBe('')
  })
})

const config = {
  compilerOptions: {
    strict: true,
    skipDefaultLibCheck: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    target: 'ES2022',
    lib: ['ES2023', 'DOM'],
    module: 'ESNext',
    moduleResolution: 'bundler',
    types: [],
    paths: { fixtura: [join(root, 'dist/index.d.ts')] },
  },
  include: ['*/use.ts'],
}

/** Compiles a project; returns the errors that the compiler prints. */
async function compile(compiler: string, folder: string): Promise<string> {
  const tsc = join(root, 'node_modules', compiler, 'bin/tsc')
  const options = { cwd: folder, maxBuffer: 1e8 }
  return promisify(execFile)(
    process.execPath,
    [tsc, '--project', folder, '--pretty', 'false'],
    options,
  ).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  )
}
