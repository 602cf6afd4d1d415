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
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { onTestFinished } from 'vitest'

const root = join(import.meta.dirname, '../..')

/** A copy of an example in a folder of its own, as a user has it. */
export interface Project {
  folder: string
  /** The free ports by those that the example names. */
  ports: ReadonlyMap<string, number>
  /** Writes a file of the project. */
  write(path: string, text: string): void
  /** Runs a script of an installed package; returns its output, whatever its exit code. */
  run(script: string, ...args: string[]): Promise<string>
}

/** A configuration of Playwright that wraps that of a project, for the browser of this machine and for busy cores. */
export const machineConfig: readonly [path: string, text: string] = [
  'machine.config.ts',
  `import config from './playwright.config.ts'
export default {
  ...config,
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  use: {
    ...config.use,
    launchOptions: {
      executablePath: '${process.env['CHROMIUM'] ?? '/usr/bin/chromium'}',
      args: ['--no-sandbox'],
    },
  },
}
`,
]

/** Copies an example, or writes files, links the packages, and replaces the ports by free ports. */
export async function openProject(
  source: string | ReadonlyMap<string, string>,
  packages: readonly string[],
  wanted: readonly string[],
): Promise<Project> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fixtura-project-')))
  onTestFinished(() => rmSync(folder, { recursive: true, maxRetries: 5, retryDelay: 100 }))
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  if (typeof source === 'string') {
    cpSync(join(import.meta.dirname, source), folder, { recursive: true })
  } else {
    for (const [path, text] of source) write(path, text)
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const ports = new Map<string, number>()
  for (const port of wanted) ports.set(port, await findPort())
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) replacePorts(join(entry.parentPath, entry.name), ports)
  }
  link(folder, 'fixtura', root)
  for (const one of packages) link(folder, one, realpathSync(join(root, 'node_modules', one)))
  return {
    folder,
    ports,
    write,
    run: (script, ...args) =>
      new Promise((resolve) => {
        const env: NodeJS.ProcessEnv = { ...process.env, NO_COLOR: '1' }
        for (const key of Object.keys(env)) {
          if (/^(?:VITEST|NODE_ENV|NODE_TEST_CONTEXT|FORCE_COLOR|CI$|PORT$)/.test(key))
            delete env[key]
        }
        const command = script === '' ? args : [join(root, 'node_modules', script), ...args]
        execFile(process.execPath, command, { cwd: folder, env }, (_, out, err) =>
          resolve(out + err),
        )
      }),
  }
}

function replacePorts(path: string, ports: ReadonlyMap<string, number>): void {
  let text = readFileSync(path, 'utf8')
  for (const [from, to] of ports) text = text.replaceAll(from, String(to))
  writeFileSync(path, text)
}

/** Installs a package, with its commands, by a link. */
function link(folder: string, name: string, target: string): void {
  const path = join(folder, 'node_modules', name)
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path, 'dir')
  const { bin = {} } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')) as {
    bin?: Record<string, string>
  }
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  for (const [command, script] of Object.entries(bin)) {
    symlinkSync(join(target, script), join(folder, 'node_modules/.bin', command))
  }
}

/** A port that is free now; the system does not give it out again soon. */
function findPort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer()
    server.listen(0, () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
