import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { Worker } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'

import { describe, expect, it } from 'vitest'

import { commandNames } from '../src/cli/arguments/commands.ts'
import { bundleForPage } from './bundle.ts'
import { bundleWorker } from './workerd.ts'

const root = join(import.meta.dirname, '..')

/** Every entry of the package and its exports. */
const entries: [entry: string, names: string[]][] = [
  ['fixtura', ['MockError', 'createManualClock', 'createMock', 'defineConfig', 'operators']],
  [
    'fixtura/behaviours',
    [
      'acceptSocket',
      'auth',
      'createRequestState',
      'delay',
      'events',
      'faults',
      'fields',
      'files',
      'idempotency',
      'limit',
      'oidc',
      'onLeave',
      'pause',
      'proxy',
      'readJsonBody',
      'rewrite',
      'routes',
      'scenarios',
      'schema',
      'sessions',
      'stages',
      'states',
      'versions',
      'webhooks',
    ],
  ],
  ['fixtura/browser', ['startMock']],
  ['fixtura/cypress', ['addMockCommand']],
  [
    'fixtura/dialects',
    [
      'directus',
      'djangoRestFramework',
      'jsonApi',
      'jsonServer0',
      'jsonServer1',
      'jsonServer1Beta',
      'laravel',
      'nestjsxCrud',
      'pocketbase',
      'rest',
      'simpleRest',
      'springDataRest',
      'strapi',
      'supabase',
    ],
  ],
  ['fixtura/generate', ['build', 'createGenerator', 'generate']],
  ['fixtura/graphql', ['graphql']],
  ['fixtura/har', ['toHar']],
  ['fixtura/msw', ['handlers', 'strict']],
  ['fixtura/native', ['startMock']],
  ['fixtura/node', ['isolate', 'loadMock', 'serve', 'watch']],
  ['fixtura/openapi', ['fromOpenApi']],
  ['fixtura/playwright', ['mockRoute', 'mockTest']],
  ['fixtura/remote', ['connect']],
  ['fixtura/ssr', ['currentSession', 'redirect', 'withSession']],
  ['fixtura/storybook', ['mockStories']],
  ['fixtura/studio', ['studio']],
  ['fixtura/vite', ['fixtura']],
  ['fixtura/vitest', ['mockTest']],
  ['fixtura/worker', ['createProjectWorker', 'createWorker', 'documents', 'har']],
]

/** The maximum download size of some files for a page, in bytes, minified and gzipped. */
const budgets: [title: string, files: string[], bytes: number][] = [
  ['fixtura with fixtura/native', ['index.js', 'native.js'], 77_000],
  ['fixtura with fixtura/msw', ['index.js', 'msw.js'], 74_000],
]

interface Package {
  exports: Record<string, unknown>
}

interface LockedPackage {
  optionalDependencies?: Record<string, string>
}

describe('the entries', () => {
  it('are the entries of the table', () => {
    const { exports } = readJson('package.json') as Package
    const paths = Object.keys(exports).filter((path) => path !== './package.json')
    expect(paths.map((path) => path.replace('.', 'fixtura')).toSorted()).toEqual(
      entries.map(([entry]) => entry).toSorted(),
    )
  })

  it.each(entries)('%s exports exactly the listed names', async (entry, names) => {
    expect(await exportsOf(entry)).toEqual(names)
  })

  // A dual package has a second file for `require`, which tools such as Jest also load with `import()`.
  it.each(entries)(
    '%s exports the same names if its CommonJS file is imported',
    async (entry, names) => {
      const file = join(
        root,
        'dist',
        `${entry === 'fixtura' ? 'index' : posix.basename(entry)}.cjs`,
      )
      const imported = (await exportsOf(file)) as string[]
      expect(imported.filter((name) => name !== 'default' && name !== 'module.exports')).toEqual(
        names,
      )
    },
  )
})

describe('the build', () => {
  it('answers a request', () => {
    const code = `
      import { createMock } from 'fixtura'
      const mock = createMock({ fixtures: { posts: [{ id: 1, title: 'Hello' }] } })
      const response = await mock.fetch(new Request('http://localhost/posts/1'))
      console.log(response.status, await response.text())
    `
    expect(run(code)).toBe('200 {"id":1,"title":"Hello"}\n')
  })

  // Node takes longer to resolve many files than to run them.
  it('has the core in one file', () => {
    const imports = (file: string): string[] =>
      Array.from(
        readFileSync(join(root, 'dist', file), 'utf8').matchAll(/ from "(.+)";$/gm),
        ([, path = '']) => path,
      )
    expect(imports('index.js')).toEqual(['./parts/start.js'])
    expect(imports('parts/start.js')).toEqual([])
  })

  it.each([
    'index',
    'msw',
    'behaviours',
    'dialects',
    'browser',
    'graphql',
    'har',
    'native',
    'openapi',
    'remote',
    'cypress',
    'studio',
    'worker',
  ])('imports no Node module in %s', (entry) => {
    const texts = loadedBy(`${entry}.js`)
    expect(texts.length).toBeGreaterThan(1)
    for (const text of texts) expect(text).not.toMatch(/["']node:/)
  })

  // An import of these modules takes up to half of the start time: it loads OpenSSL and `http.WebSocket`.
  it.each(['command/main', 'node', 'vite'])('imports none of the slow modules in %s', (entry) => {
    const modules = loadedBy(`${entry}.js`).flatMap((text) =>
      Array.from(text.matchAll(/ from "(node:.+?)"/g), ([, name = '']) => name),
    )
    expect(modules).toContain('node:fs')
    expect(modules.filter((name) => /^node:(crypto|http|https|http2|tls)$/.test(name))).toEqual([])
  })

  // A dynamic import fails offline and with fake timers, and can resolve after Jest's environment ended.
  it.each(budgets)('keeps %s in one file, within its budget', (_title, files, bytes) =>
    checkBudget(files, bytes),
  )
})

describe('a bundle', () => {
  const marks = ['fixtura-rs256', 'Choose a user of the mock']
  it.each([
    ['without oidc has nothing of it', 'auth, delay', []],
    ['with oidc has its keys and its page', 'oidc', marks],
  ])('%s', async (_, names, expected) => {
    const dist = join(root, 'dist')
    const code = await bundleWorker(
      `export { createMock } from ${JSON.stringify(join(dist, 'index.js'))}
      export { ${names} } from ${JSON.stringify(join(dist, 'behaviours.js'))}`,
    )
    expect(marks.filter((mark) => code.includes(mark))).toEqual(expected)
  })
})

describe('the studio', () => {
  const home = join(root, 'dist/studio/home')

  it('is bundled with the licenses of its packages, none of which is installed', () => {
    const texts = readFileSync(join(home, 'licenses.txt'), 'utf8').split('\n---\n\n')
    const bundled = texts.map((text) => text.slice(0, text.indexOf(' ')))
    expect(bundled).toEqual(expect.arrayContaining(['@codemirror/view', 'papaparse', 'preact']))
    const { dependencies, peerDependencies, optionalDependencies } = JSON.parse(
      readFileSync(join(root, 'package.json'), 'utf8'),
    ) as Record<string, Record<string, string>>
    const installed = { ...dependencies, ...peerDependencies, ...optionalDependencies }
    expect(bundled.filter((name) => Object.hasOwn(installed, name))).toEqual([])
  })

  it('loads at most 80,000 bytes, compressed, for its first screen', () => {
    const names = ['start.js', 'app.js', 'style.css']
    const files = names.map((name) => gzipSync(readFileSync(join(home, name))))
    expect(files.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(80_000)
  })
})

describe('the tarball', () => {
  it('contains the build and the command, and nothing else', () => {
    const allowed =
      /^(dist\/.+\.(c?js|d\.c?ts)|dist\/licenses\.txt|templates\/[\w/.-]+\.(js|jsonc|md|mjs|ts|yml)|skills\/[\w-]+\/SKILL\.md|dist\/studio\/home\/(licenses\.txt|style\.css)|bin\/mock\.js|package\.json|[A-Z]+\.md|bench\/results\.md|schemas\/\w+\.json|llms\.txt|LICENSE)$/
    const paths = packed()
    expect(paths).toContain('package.json')
    expect(paths.filter((path) => !allowed.test(path))).toEqual([])
  })

  it('contains every declaration that its declarations import', () => {
    const paths = packed()
    const missing = paths
      .filter((path) => /\.d\.c?ts$/.test(path))
      .flatMap((path) =>
        Array.from(
          readFileSync(join(root, path), 'utf8').matchAll(
            /(?:from |import\()'(\.[^']+\.c?[jt]s)'/g,
          ),
          ([, name = '']) =>
            posix.join(posix.dirname(path), name.replace(/(?<!\.d)\.(c?)[jt]s$/, '.d.$1ts')),
        ),
      )
      .filter((path) => !paths.includes(path))
    expect(missing).toEqual([])
  })

  it('takes at most 4.1 MB', () => {
    packed()
    expect(unpackedSize).toBeLessThan(4_100_000)
  })

  it('has documents whose links lead to files of the repository', () => {
    const dead = packed()
      .filter((path) => path.endsWith('.md') || path === 'llms.txt')
      .flatMap((path) => linksIn(path).filter((link) => !existsSync(join(root, link))))
    expect(dead).toEqual([])
  })
})

describe('llms.txt', () => {
  const text = readFileSync(join(root, 'llms.txt'), 'utf8')

  it('names every entry, every command and the schema of the configuration', () => {
    for (const [entry] of entries) expect(text).toContain(`\`${entry}\``)
    for (const name of commandNames) expect(text).toMatch(new RegExp(`\`mock ${name}[ \`]`))
    const [path = ''] = /schemas\/\w+\.json/.exec(text) ?? []
    expect(packed()).toContain(path)
  })
})

describe('the lockfile', () => {
  // If one is missing, `npm ci` rejects the lockfile on every machine.
  it('lists every platform package of every package', () => {
    const lock = readJson('package-lock.json') as { packages: Record<string, LockedPackage> }
    const wanted = Object.values(lock.packages).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies),
    )
    const listed = new Set(
      Object.keys(lock.packages).map((path) => path.split('node_modules/').at(-1)),
    )
    expect(wanted.filter((name) => !listed.has(name))).toEqual([])
    expect(wanted).not.toEqual([])
  })
})

async function checkBudget(files: readonly string[], bytes: number): Promise<void> {
  const paths = files.map((file) => join(root, 'dist', file))
  const bundle = await bundleForPage(paths, [/^msw(\/|$)/])
  expect(bundle.bytes).toBeLessThanOrEqual(bytes)
  expect(bundle.files).toBe(1)
  expect(bundle.imports.filter((name) => name !== 'msw')).toEqual([])
}

/** The texts of a file of the build and of all files that it imports, also dynamically. */
function loadedBy(file: string): string[] {
  const texts = new Map<string, string>()
  const visit = (path: string): void => {
    if (texts.has(path)) return
    const text = readFileSync(path, 'utf8')
    texts.set(path, text)
    for (const [, found = ''] of text.matchAll(/(?:from|import) ?\(?"(\.[^"]+)"/g))
      visit(join(path, '..', found))
  }
  visit(join(root, 'dist', file))
  return [...texts.values()]
}

/** Runs a module in a new process, where `fixtura` is the built package; returns its output. */
function run(code: string): string {
  return execFileSync(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: root,
    encoding: 'utf8',
  })
}

/** The names that an entry of the built package exports, imported in a thread without other modules. */
async function exportsOf(entry: string): Promise<unknown> {
  const code = `import('${entry}').then((entry) => {
    require('node:worker_threads').parentPort.postMessage(Object.keys(entry))
  })`
  const worker = new Worker(code, { eval: true, execArgv: [] })
  const [names] = (await once(worker, 'message')) as [unknown]
  await worker.terminate()
  return names
}

/** The files that a document links to, relative to the root. */
function linksIn(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8').replaceAll(/`[^`]*`/g, '')
  return Array.from(text.matchAll(/\]\((?!\w+:|#)([^)#\s]+)/g), ([, link = '']) =>
    posix.join(posix.dirname(path), link),
  )
}

let tarballPaths: string[] | undefined
let unpackedSize = 0

/** The paths of the files that npm would publish. */
function packed(): string[] {
  return (tarballPaths ??= pack())
}

function pack(): string[] {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [tarball] = JSON.parse(output) as { files: { path: string }[]; unpackedSize: number }[]
  unpackedSize = tarball?.unpackedSize ?? 0
  return tarball?.files.map((file) => file.path) ?? []
}

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(join(root, name), 'utf8'))
}
