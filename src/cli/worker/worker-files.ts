import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeEntry } from './entry.ts'
import type { WorkerProject } from './project.ts'
import { createWorkflow } from './workflow.ts'

/**
 * Creates the files with which `mock init --worker` deploys a mock to Cloudflare: the entry of the worker,
 * the configuration of wrangler, and a GitHub workflow. `name` is the `name` in package.json.
 */
export async function createWorkerFiles(
  project: WorkerProject,
  name: unknown,
): Promise<WorkerFiles> {
  const { text, omitted } = writeEntry(project)
  const config = await chooseWranglerConfig(project.folder)
  const option = config === OWN_CONFIG ? ` --config ${config}` : ''
  const files = {
    'mock-worker.js': text,
    [config]: toWranglerConfig(toWorkerName(name)),
    '.github/workflows/mock.yml': await createWorkflow(
      project.folder,
      `npx wrangler@4 deploy${option}`,
    ),
  }
  return { files, omitted, command: `npx wrangler dev${option}` }
}

/** The result of {@link createWorkerFiles}. */
export interface WorkerFiles {
  /** The texts of the files by path. */
  files: Record<string, string>
  /** The parts of the project that the worker does not have, each with the reason. */
  omitted: string[]
  /** The command that runs the worker on this machine. */
  command: string
}

/** The configuration of the worker in a project that is a worker itself. */
const OWN_CONFIG = 'wrangler.mock.jsonc'

/** Chooses the name of the configuration: wrangler uses the first of three files that exists. */
async function chooseWranglerConfig(folder: string): Promise<string> {
  for (const name of ['wrangler.json', 'wrangler.jsonc', 'wrangler.toml']) {
    const text = await readFile(join(folder, name), 'utf8').catch(() => undefined)
    if (text !== undefined) return text.includes('mock-worker.') ? name : OWN_CONFIG
  }
  return 'wrangler.jsonc'
}

/** A name of a worker: letters, digits and hyphens. */
function toWorkerName(name: unknown): string {
  const own = typeof name === 'string' ? name.toLowerCase() : ''
  const plain = own.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '')
  return plain === '' ? 'mock' : `${plain.slice(0, 50)}-mock`
}

function toWranglerConfig(name: string): string {
  return `{
  "$schema": "node_modules/wrangler/config-schema.json",
  "name": ${JSON.stringify(name)},
  "main": "mock-worker.js",
  "minify": true,
  "keep_names": false,
  "compatibility_date": "2026-01-01",
  // A request that its client has aborted ends its event stream.
  "compatibility_flags": ["enable_request_signal"],
  // One Durable Object per session, with its data in SQLite.
  "durable_objects": { "bindings": [{ "name": "MOCK", "class_name": "MockSession" }] },
  "migrations": [{ "tag": "v1", "new_sqlite_classes": ["MockSession"] }]
}
`
}
