import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { rolldown } from 'rolldown'
import { beforeAll, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const require = createRequire(import.meta.url)
const systems: Partial<Record<NodeJS.Platform, string>> = { darwin: 'osx-bin', win32: 'win64-bin' }
const hermes = join(
  dirname(require.resolve('hermes-engine-cli/package.json')),
  systems[process.platform] ?? 'linux64-bin',
  'hermes',
)

/** The lines that each row prints. */
let printed: string[][]

/** Writes a program for Hermes as the compiler of React Native does: in ES5. */
function toEs5(code: string): string {
  const { transpileModule } = require('typescript59') as {
    transpileModule(code: string, options: object): { outputText: string }
  }
  const compilerOptions = { target: 1, downlevelIteration: true, allowJs: true }
  const { outputText } = transpileModule(code, { compilerOptions })
  // TypeScript loses the prototype of an error, which Babel, the compiler of React Native, keeps.
  return outputText.replaceAll(
    /(var _this = _super\.call\(this, [^;]*\) \|\| this;)/g,
    '$1 Object.setPrototypeOf(_this, Object.getPrototypeOf(this));',
  )
}

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fixtura-hermes-'))
  const paths = ['index', 'behaviours', 'native'].map((name) => join(root, `dist/${name}.js`))
  const [index, behaviours, native] = paths.map((path) => JSON.stringify(path))
  const entry = `import { createMock } from ${index}
    import { auth } from ${behaviours}
    import { startMock } from ${native}
    Object.assign(globalThis, { createMock, auth, startMock })`
  const bundle = await rolldown({
    input: 'entry',
    platform: 'neutral',
    logLevel: 'silent',
    external: /^[@a-z]/,
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' ? '\0entry' : null),
        load: (id) => (id === '\0entry' ? entry : null),
      },
    ],
  })
  const { output } = await bundle.generate({ format: 'iife', codeSplitting: false })
  const path = join(folder, 'program.js')
  const globals = readFileSync(join(import.meta.dirname, 'native-globals.js'), 'utf8')
  const bodies = rows.map(([, code]) => `console.log('# row'); await (async () => {${code}})()`)
  const program = `(async () => {${bodies.join('\n')}})().catch((error) => console.log(error.stack))`
  writeFileSync(path, [globals, toEs5(output[0].code), toEs5(program)].join('\n;\n'))
  const text = execFileSync(hermes, [path], { encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  printed = text
    .split('# row\n')
    .slice(1)
    .map((lines) => lines.trimEnd().split('\n'))
})

const mock = `const posts = [{ id: 1, title: 'Hello' }, { id: 2, title: 'Wörld' }]
  const mock = createMock({ fixtures: { posts }, base: '/api' })
`
const storage = `const stored = new Map()
  const storage = {
    getItem: async (key) => (stored.has(key) ? stored.get(key) : null),
    setItem: async (key, value) => void stored.set(key, value),
    removeItem: async (key) => void stored.delete(key),
  }
`
const send = `const send = (method, url, prepare = () => {}, body) =>
    new Promise((resolve) => {
      const xhr = new XMLHttpRequest()
      for (const type of ['load', 'error', 'abort', 'timeout'])
        xhr['on' + type] = () => resolve([type, xhr.status, xhr.responseType === '' ? xhr.responseText : xhr.response, xhr])
      xhr.open(method, url)
      prepare(xhr)
      xhr.send(body)
    })
`

const rows: [title: string, code: string, expected: string[]][] = [
  [
    'answers fetch, and leaves other requests to the network',
    `${mock}
    const started = await startMock(mock)
    console.log(await (await fetch('https://app.example/api/posts?title:contains=wö')).text())
    const headers = { 'Content-Type': 'application/json' }
    const made = await fetch('/api/posts', { method: 'post', headers, body: '{"title":"Nëw"}' })
    console.log(made.status, made.headers.get('location'), await made.text(), mock.db.posts.count())
    console.log((await fetch('/api/nothing')).status)
    console.log(await (await fetch('https://other.example/x')).text())
    await started.stop()
    console.log(await (await fetch('https://app.example/api/posts')).text())`,
    [
      '[{"id":2,"title":"Wörld"}]',
      '201 http://localhost/api/posts/3 {"id":3,"title":"Nëw"} 3',
      '404',
      'real https://other.example/x',
      'real https://app.example/api/posts',
    ],
  ],
  [
    'answers one origin alone',
    `${mock}
    await startMock(mock, { origin: 'https://api.example' })
    console.log((await fetch('https://api.example/api/posts')).status)
    console.log((await fetch('https://cdn.example/api/posts')).status)`,
    ['200', '299'],
  ],
  [
    'answers XMLHttpRequest with its events, types and headers',
    `${mock}${send}
    await startMock(mock)
    const [type, status, text, xhr] = await send('GET', '/api/posts?_limit=1')
    console.log(type, status, text, xhr.getResponseHeader('X-Total-Count'), xhr.readyState)
    const [, , json] = await send('GET', '/api/posts/2', (one) => (one.responseType = 'json'))
    console.log(json.title)
    const set = (one) => one.setRequestHeader('Content-Type', 'application/json')
    console.log((await send('PATCH', '/api/posts/2', set, '{"title":"New"}')).slice(1, 3).join())
    console.log((await send('GET', 'https://other.example/x')).slice(0, 3).join())`,
    [
      'load 200 [{"id":1,"title":"Hello"}] 2 4',
      'Wörld',
      '200,{"id":2,"title":"New"}',
      'load,299,real https://other.example/x',
    ],
  ],
  [
    'fails as a lost connection does',
    `${mock}${send}
    await startMock(mock)
    mock.on('GET', '/posts').drop({ times: 2 })
    console.log(await fetch('/api/posts').catch((error) => error.name + ': ' + error.message))
    console.log((await send('GET', '/api/posts')).slice(0, 2).join())
    mock.on('GET', '/posts').fail(503, { times: 1 })
    console.log((await fetch('/api/posts')).status, (await fetch('/api/posts')).status)`,
    ['TypeError: Network request failed', 'error,0', '503 200'],
  ],
  [
    'ends a request that is aborted',
    `${mock}${send}
    await startMock(mock)
    mock.on('GET', '/posts').delay('1h')
    const controller = new AbortController()
    const request = fetch('/api/posts', { signal: controller.signal })
    controller.abort()
    console.log(await request.catch((error) => error.name))
    console.log((await send('GET', '/api/posts', (xhr) => Promise.resolve().then(() => xhr.abort()))).slice(0, 2).join())`,
    ['AbortError', 'abort,0'],
  ],
  [
    'keeps the cookies of a login',
    `const users = [{ id: 1, username: 'ada', password: 'secret' }]
    const mock = createMock({ fixtures: { users, notes: [] }, use: [auth({ scheme: 'cookie', tokens: 'opaque', protect: ['notes'] })] })
    await startMock(mock)
    console.log((await fetch('/notes')).status)
    const body = JSON.stringify({ username: 'ada', password: 'secret' })
    const headers = { 'Content-Type': 'application/json' }
    console.log((await fetch('/login', { method: 'POST', headers, body })).status)
    console.log((await fetch('/notes')).status, (await fetch('/notes', { credentials: 'omit' })).status)`,
    ['401', '200', '200 401'],
  ],
  [
    'takes the forms of React Native, whose files are named by URIs',
    `${mock}
    await startMock(mock)
    const form = { append() {}, _parts: [['title', 'Photo'], ['image', { uri: 'file:///a.png', name: 'a.png', type: 'image/png' }]] }
    console.log(await (await fetch('/api/posts', { method: 'POST', body: form })).text())`,
    [
      '{"id":3,"title":"Photo","image":{"name":"a.png","type":"image/png","size":0,"url":"file:///a.png"}}',
    ],
  ],
  [
    'wraps a fetch that is imported',
    `${mock}
    const expoFetch = async (url) => 'expo ' + url
    const started = await startMock(mock)
    const wrapped = started.wrap(expoFetch)
    console.log((await wrapped('/api/posts/1')).status, await wrapped('https://other.example/'))
    await started.stop()
    console.log(await wrapped('/api/posts/1'))`,
    ['200 expo https://other.example/', 'expo /api/posts/1'],
  ],
  [
    'keeps changes in a given storage',
    `${mock}${storage}
    const first = await startMock(mock, { persist: storage })
    mock.db.posts.insert({ title: 'Kept' })
    await first.stop()
    const other = createMock({ fixtures: { posts }, base: '/api' })
    await startMock(other, { persist: storage })
    console.log(await (await fetch('/api/posts/3')).text())
    const edited = createMock({ fixtures: { posts: posts.slice(1) }, base: '/api' })
    await startMock(edited, { persist: storage })
    console.log((await fetch('/api/posts/3')).status)`,
    ['{"id":3,"title":"Kept"}', '404'],
  ],
  [
    'names a wrong option',
    `${mock}
    await startMock(mock, { persist: 'local' }).catch((error) => console.log(error.message))`,
    [
      'Failed to read the options of startMock: "persist" cannot be "local". Please give a storage with getItem, setItem and removeItem, such as AsyncStorage.',
    ],
  ],
]

it.each(rows.map((row, index) => [...row, index] as const))(
  '%s',
  (_title, _code, expected, index) => {
    expect(printed[index]).toEqual(expected)
  },
)
