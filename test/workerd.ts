import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

import { rolldown, type RolldownPluginOption } from 'rolldown'

/** A running `workerd` with one worker, whose Durable Objects are stored in a folder. */
export interface Workerd {
  url: string
  port: number
  process: ChildProcess
  /** The folder in which the objects are stored. */
  objects: string
  /** Ends the process at once, without any of its own clean-up. */
  kill(): Promise<void>
  /** Starts the worker again, with the same storage. */
  restart(): Promise<void>
  /** Ends the process and removes the folder. */
  close(): Promise<void>
}

/** The token of the worker's control. */
export const token = 'test-token'

/** The name of the module that `bundleWorker` is given. */
export const workerEntry = '\0worker'

/** Bundles a module of a worker, as `wrangler` does. Returns the code, which imports nothing. */
export async function bundleWorker(
  source: string,
  plugins: RolldownPluginOption[] = [],
  minify = false,
  platform: 'browser' | 'node' = 'browser',
): Promise<string> {
  const bundle = await rolldown({
    input: workerEntry,
    platform,
    plugins: [
      ...plugins,
      {
        name: 'worker',
        resolveId(id) {
          // After the plugins, which may replace a module of Node.
          if (platform === 'node' && id.startsWith('node:')) return { id, external: true }
          return id === workerEntry ? workerEntry : null
        },
        load: (id) => (id === workerEntry ? { code: source, moduleType: 'ts' } : null),
      },
    ],
  })
  const { output } = await bundle.generate({ codeSplitting: false, minify })
  await bundle.close()
  return output[0].code
}

/** A folder in memory where there is one: thousands of objects wait for the disk otherwise. */
const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Starts `workerd` with the code of a worker that exports `MockSession`. */
export async function startWorkerd(code: string): Promise<Workerd> {
  const folder = mkdtempSync(join(memory, 'fixtura-workerd-'))
  mkdirSync(join(folder, 'objects'))
  writeFileSync(join(folder, 'worker.js'), code)
  writeFileSync(join(folder, 'config.capnp'), toConfig(join(folder, 'objects')))
  const started = await start(folder)
  const workerd: Workerd = {
    ...started,
    objects: join(folder, 'objects'),
    async kill() {
      if (workerd.process.exitCode !== null || workerd.process.signalCode !== null) return
      const exited = once(workerd.process, 'exit')
      workerd.process.kill('SIGKILL')
      await exited
    },
    async restart() {
      await workerd.kill()
      Object.assign(workerd, await start(folder))
    },
    async close() {
      await workerd.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return workerd
}

async function start(folder: string): Promise<Pick<Workerd, 'url' | 'port' | 'process'>> {
  const child = spawn(findWorkerd(), ['serve', 'config.capnp', '--control-fd=3'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', process.env['WORKERD_LOG'] ? 'inherit' : 'ignore', 'pipe'],
  })
  const lines = createInterface({ input: child.stdio[3] as Readable })
  const failed = once(child, 'exit').then(() => {
    throw new Error('workerd has ended at its start.')
  })
  const [line] = (await Promise.race([once(lines, 'line'), failed])) as [string]
  const { port } = JSON.parse(line) as { port: number }
  failed.catch(() => undefined)
  return { url: `http://127.0.0.1:${port}`, port, process: child }
}

/** The binary of the package, whose own launcher would be a second process. */
function findWorkerd(): string {
  const require = createRequire(import.meta.url)
  const from = createRequire(require.resolve('workerd'))
  const suffix = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@cloudflare/workerd-${suffix}-${process.arch === 'x64' ? '64' : process.arch}`
  return join(dirname(from.resolve(`${name}/package.json`)), 'bin', 'workerd')
}

function toConfig(objects: string): string {
  return `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .mock),
    (name = "objects", disk = (path = ${JSON.stringify(objects)}, writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const mock :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "2026-01-01",
  compatibilityFlags = ["enable_request_signal"],
  durableObjectNamespaces = [(className = "MockSession", uniqueKey = "mock", enableSql = true)],
  durableObjectStorage = (localDisk = "objects"),
  bindings = [
    (name = "MOCK", durableObjectNamespace = "MockSession"),
    (name = "MOCK_TOKEN", text = ${JSON.stringify(token)}),
  ],
);
`
}
