import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { checkFileConfig } from '../src/load/config/check-config.ts'
import { startServer } from './cli/program.ts'
import { createFolder } from './unit/loader/folder.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

it('contains the test of the example', () => {
  expect(read('README.md')).toContain(read('test/examples/readme/posts.test.ts'))
})

it('contains the fixture of the example', () => {
  expect(read('README.md')).toContain(read('test/examples/readme/fixtures/posts.json'))
})

it('contains a configuration that runs on the fixture of the example', async () => {
  const [, config = ''] = /```js\n(\/\/ mock\.config\.mjs\n[^]*?)```/.exec(read('README.md')) ?? []
  const cwd = createFolder({
    'fixtures/posts.json': read('test/examples/readme/fixtures/posts.json'),
    'mock.config.mjs': config,
  })
  mkdirSync(join(cwd, 'node_modules'))
  symlinkSync(root, join(cwd, 'node_modules/fixtura'), 'junction')
  const { url } = await startServer(['--port', '0'], cwd)
  const post = async (body: object): Promise<[number, unknown]> => {
    const headers = { 'Content-Type': 'application/json' }
    const response = await fetch(`${url}/posts`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    return [response.status, await response.json()]
  }
  expect(await post({ title: 'New' })).toEqual([
    201,
    {
      id: 3,
      title: 'New',
      status: 'draft',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    },
  ])
  expect(await post({})).toMatchObject([422, { errors: { title: expect.any(String) } }])
})

it('documents every option of the configuration', () => {
  const text = read('docs/reference/configuration.md')
  const known = knownOptions()
  expect(known.length).toBeGreaterThan(30)
  expect(known.filter((name) => !text.includes(`\`${name}\``))).toEqual([])
})

it('documents every error code, with the statuses that errors have', () => {
  const lines = read('docs/reference/errors.md').matchAll(/^\| `([A-Z_]{3,})` +\|.*$/gm)
  const documented = new Map(Array.from(lines, ([line, code = '']) => [code, line]))
  const source = ['src/core', 'src/faces'].flatMap(textsIn).join('\n')
  const words = new Set([
    ...namesIn(source, /'([A-Z]+(?:_[A-Z]+)+)'/g),
    ...namesIn(
      source.match(/^.*(?:\bcode\b|simulatedError|refuse\().*$/gm)?.join('\n') ?? '',
      /'([A-Z]{4,})'/g,
    ),
  ])
  for (const other of otherWords) expect(words.delete(other), other).toBe(true)
  expect(new Set(documented.keys())).toEqual(words)

  const thrown = [...source.matchAll(/status: (\d{3}),\s+code: '([A-Z_]+)'/g)]
  expect(thrown.length).toBeGreaterThan(40)
  expect(
    thrown.filter(([, status = '', code = '']) => !documented.get(code)?.includes(status)),
  ).toEqual([])
})

/** The names in the source that look like codes of the mock: those of Node, of errors of GraphQL, and of Directus. */
const otherWords = [
  'ERR_HTTP_REQUEST_TIMEOUT ERR_JWT_EXPIRED MOCK_TOKEN MODULE_NOT_FOUND',
  'BAD_USER_INPUT INTERNAL_SERVER_ERROR OPERATION_TOO_LARGE PERSISTED_QUERY_NOT_FOUND',
  'FAILED_VALIDATION INVALID_CREDENTIALS INVALID_PAYLOAD INVALID_QUERY INVALID_TOKEN',
  'RECORD_NOT_UNIQUE REQUESTS_EXCEEDED',
  'HPE_CHUNK_EXTENSIONS_OVERFLOW HPE_HEADER_OVERFLOW HPE_INVALID_METHOD HPE_INVALID_URL',
].flatMap((words) => words.split(' '))

/** What the group of a pattern matches in a text. */
function namesIn(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern), ([, name = '']) => name)
}

/** The texts of the TypeScript files in a folder. */
function textsIn(folder: string): string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.ts')).map((name) => read(join(folder, name)))
}

/** The known options, as the error for an unknown option lists them. */
function knownOptions(): string[] {
  try {
    checkFileConfig({ '?': true } as object)
  } catch (error) {
    return /Known: (.*)\.$/.exec(String(error))?.[1]?.split(', ') ?? []
  }
  return []
}
