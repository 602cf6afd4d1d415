import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type * as Vite from 'vite'
import { beforeAll, onTestFinished } from 'vitest'

import { linkFolder } from '../link-folder.ts'

/** The packages that a copy of the example uses, by their names in this repository. */
export interface Installed {
  vite?: 'vite' | 'vite7' | 'vite6'
  msw?: 'msw' | 'msw3'
}

/** A copy of the example that a test may change. */
export interface App {
  folder: string
  /**
   * Starts its dev server in a mode of Vite. `isWithoutPages` skips the optimization of dependencies,
   * which would delay the end of the server.
   */
  dev(mode?: string, options?: DevOptions): Promise<Serving>
  /** Starts its preview server, which serves the build. */
  preview(mode?: string): Promise<Serving>
  /** Checks its types; rejects with the errors. */
  check(): Promise<void>
  /** Runs its unit tests; rejects with their output. */
  test(): Promise<void>
  /** Builds it; returns the text of every file by path. */
  build(mode?: string): Promise<Record<string, string>>
  read(path: string): string
  write(path: string, content: string): void
  remove(path: string): void
}

/** The options of a dev server. */
export interface DevOptions {
  isWithoutPages?: boolean
  /** @default '127.0.0.1' */
  host?: string
}

/** A running server. */
export interface Serving {
  url: string
  /** The lines that it has logged. */
  output: string[]
  close(): Promise<void>
}

const root = join(import.meta.dirname, '../..')

/**
 * Copies the example into a temporary folder and installs this package there as npm would. `onEnd`
 * registers the functions that remove the folder and close the servers.
 */
export function createApp(
  { vite = 'vite', msw = 'msw' }: Installed = {},
  onEnd: (end: () => void | Promise<void>) => void = onTestFinished,
): App {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fixtura-app-')))
  onEnd(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(join(root, 'test/examples/vite-app'), folder, { recursive: true })
  install(folder, vite, msw)
  const load = (): Promise<typeof Vite> => import(vite)

  const start = async (
    open: (config: Vite.InlineConfig) => Promise<Vite.ViteDevServer | Vite.PreviewServer>,
    mode: string,
    { isWithoutPages = false, host = '127.0.0.1' }: DevOptions = {},
  ): Promise<Serving> => {
    const output: string[] = []
    const { createLogger } = await load()
    const options = { host, port: 0 }
    const server = await open({
      root: folder,
      mode,
      customLogger: collect(createLogger(), output),
      server: options,
      preview: options,
      optimizeDeps: { noDiscovery: isWithoutPages },
    })
    if ('listen' in server) await server.listen()
    server.printUrls()
    let closing: Promise<void> | undefined
    const close = (): Promise<void> => (closing ??= server.close())
    onEnd(close)
    return { url: server.resolvedUrls?.local[0] ?? '', output, close }
  }

  return {
    folder,
    dev: async (mode = 'development', options) => start((await load()).createServer, mode, options),
    preview: async (mode = 'production') => start((await load()).preview, mode),
    async check() {
      await run(folder, join(root, 'node_modules/typescript/bin/tsc'), '-p', folder)
    },
    async test() {
      await run(folder, join(folder, 'node_modules/vitest/vitest.mjs'), 'run')
    },
    async build(mode = 'production') {
      await run(folder, join(folder, 'node_modules/vite/bin/vite.js'), 'build', '--mode', mode)
      return readAll(join(folder, 'dist'))
    },
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    write(path, content) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), content)
    },
    remove: (path) => rmSync(join(folder, path), { recursive: true }),
  }
}

/** A copy of the example that all tests of a group share, with its dev server. */
export interface SharedApp extends App {
  serving: Serving
}

/** The options of `shareApp`. */
export interface ShareOptions extends Installed {
  mode?: string
  isWithoutPages?: boolean
  /** Changes the copy before its server starts. */
  prepare?(app: App): void
}

/** Starts one copy for all tests of the current group. */
export function shareApp(options: ShareOptions = {}): () => SharedApp {
  const { mode, prepare, isWithoutPages = false, ...installed } = options
  let shared: SharedApp | undefined
  beforeAll(async () => {
    const ends: (() => void | Promise<void>)[] = []
    const app = createApp(installed, (end) => ends.unshift(end))
    prepare?.(app)
    shared = { ...app, serving: await app.dev(mode, { isWithoutPages }) }
    return async () => {
      for (const end of ends) await end()
    }
  })
  return () => {
    if (!shared) throw new Error('The app of this group has not been started.')
    return shared
  }
}

/** Runs a program in a new process; rejects with its output. */
async function run(cwd: string, program: string, ...args: string[]): Promise<void> {
  // Without the variables of this test run, which would, for example, make a build a development build.
  const { NODE_ENV: _, ...env } = process.env
  for (const name of Object.keys(env)) if (name.startsWith('VITEST')) delete env[name]
  try {
    await promisify(execFile)(process.execPath, [program, ...args], { cwd, env })
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(stdout + stderr, { cause: error })
  }
}

function install(folder: string, vite: string, msw: string): void {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, 'fixtura'), { recursive: true })
  cpSync(join(root, 'package.json'), join(modules, 'fixtura/package.json'))
  linkFolder(join(root, 'dist'), join(modules, 'fixtura/dist'))
  const links = { ...dependencies, vite, msw, vitest: '' }
  for (const name of Object.keys(links)) {
    const from = { vite, msw }[name] ?? name
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(realpathSync(join(root, 'node_modules', from)), join(modules, name))
  }
}

function collect(logger: Vite.Logger, output: string[]): Vite.Logger {
  const write = (text: string): void => void output.push(text)
  return { ...logger, info: write, warn: write, warnOnce: write, error: write }
}

function readAll(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = names.filter((entry) => entry.isFile())
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [path.slice(folder.length + 1), readFileSync(path, 'utf8')]
    }),
  )
}
