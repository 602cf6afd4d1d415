import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')
const modules = join(root, 'node_modules')

/** Creates a folder whose programs find the packages of the repository; returns it and what removes it. */
export function createProject(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'fixtura-openapi-'))
  symlinkSync(modules, join(folder, 'node_modules'), 'dir')
  return { folder, remove: () => rmSync(folder, { recursive: true }) }
}

/** Runs a program of a package with Node; resolves to its output, also where it ends with an error. */
export async function runTool(file: string, args: readonly string[], cwd: string): Promise<string> {
  // The tools ask for newer versions and count their use, unless they are told otherwise.
  const env = {
    ...process.env,
    CI: 'true',
    NO_COLOR: '1',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    REDOCLY_TELEMETRY: 'off',
  }
  const node = file.startsWith('openapi-typescript/')
    ? ['--import', join(import.meta.dirname, 'typescript-5.js')]
    : []
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [...node, join(modules, file), ...args],
    { cwd, env, maxBuffer: 1e8 },
  ).catch((error: unknown) => error as { stdout: string; stderr: string })
  return stdout + stderr
}
