import { readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { exists } from '../../loader/discover/discover.ts'
import { readTemplate } from '../init/templates.ts'
import { type WorkerProject, type ImportedFile, isJsonFile } from './project.ts'
import { findConfigFile } from '../../load/config/config-file.ts'
import { readDataFile } from '../../load/config/read-data-file.ts'

/**
 * Creates the texts of the files by which wrangler deploys a project to Cloudflare as a mock (`mock init --worker`): the
 * entry of the worker, the configuration of wrangler, and a GitHub workflow. `name` is the `name` in package.json.
 */
export async function createWorkerFiles(
  project: WorkerProject,
  name: unknown,
): Promise<WorkerFiles> {
  const config = await chooseWranglerConfig(project.folder)
  const option = config === SEPARATE_CONFIG ? ` --config ${config}` : ''
  const files = {
    'mock-worker.js': await writeEntry(project),
    [config]: await readTemplate('worker/wrangler.jsonc', { NAME: toWorkerName(name) }),
    '.github/workflows/mock.yml': await readTemplate('worker/mock.yml', {
      DEPLOY: `npx wrangler@4 deploy${option}`,
      ...(await chooseInstallation(project.folder)),
    }),
  }
  return { files, omitted: project.omitted, command: `npx wrangler dev${option}` }
}

/** The result of {@link createWorkerFiles}. */
export interface WorkerFiles {
  /** The texts of the files by path. */
  files: Record<string, string>
  /** The parts of the project that the worker does not have, each with the reason. */
  omitted: readonly string[]
  /** The command that runs the worker on this machine. */
  command: string
}

/** The configuration of the mock in a project that has its own worker, and so a configuration of wrangler. */
const SEPARATE_CONFIG = 'wrangler.mock.jsonc'

/**
 * Chooses the name of the configuration. Of these three names, wrangler reads the first that exists: the file may be
 * that of the mock, from an earlier `mock init --worker`, or that of another worker, which is left alone.
 */
async function chooseWranglerConfig(folder: string): Promise<string> {
  for (const name of ['wrangler.json', 'wrangler.jsonc', 'wrangler.toml']) {
    const text = await readFile(join(folder, name), 'utf8').catch(() => undefined)
    if (text !== undefined) return text.includes('mock-worker.') ? name : SEPARATE_CONFIG
  }
  return 'wrangler.jsonc'
}

/** Converts the name of a package to the name of a worker: letters, digits and hyphens. */
function toWorkerName(name: unknown): string {
  const lower = typeof name === 'string' ? name.toLowerCase() : ''
  const plain = lower.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '')
  return plain === '' ? 'mock' : `${plain.slice(0, 50)}-mock`
}

/** The command by which a workflow installs the packages of a project, and further options of `actions/setup-node`. */
type Installation = Readonly<Record<'INSTALL' | 'SETUP', string>>

/** The installations by lock file. In CI, no command changes the lock file. */
const installations: readonly (readonly [file: string, installation: Installation])[] = [
  ['package-lock.json', { INSTALL: 'npm ci', SETUP: ', cache: npm' }],
  ['pnpm-lock.yaml', { INSTALL: 'corepack enable && pnpm install', SETUP: '' }],
  ['yarn.lock', { INSTALL: 'corepack enable && yarn install', SETUP: '' }],
  ['bun.lock', { INSTALL: 'npx bun install', SETUP: '' }],
]

async function chooseInstallation(folder: string): Promise<Installation> {
  for (const [file, installation] of installations) {
    if (await exists(join(folder, file))) return installation
  }
  return { INSTALL: 'npm install', SETUP: '' }
}

/** Writes the module `mock-worker.js` with which a bundler starts: the imports of a configuration and its files. */
async function writeEntry({ folder, files }: WorkerProject): Promise<string> {
  const names = files.map((_, at) => `file${at + 1}`)
  const imports = files.map(({ path }, at) => importOf(`* as ${names[at]}`, folder, path))
  const rows = files.map((file, at) => `      { ${describe(file)}data: ${names[at]} },\n`)
  return readTemplate('worker/mock-worker.js', {
    IMPORTS: `${await importConfig(folder)}${imports.join('')}`,
    FILES: rows.join(''),
  })
}

/** Imports the configuration; as a bundler reads no JSON5, the entry has a copy of a configuration in JSON5. */
async function importConfig(folder: string): Promise<string> {
  const path = await findConfigFile(folder)
  if (path === undefined) return 'const config = {}\n'
  if (!isJsonFile(path) || path.endsWith('.json')) return importOf('* as config', folder, path)
  return `const config = ${JSON.stringify(await readDataFile(path, folder), null, 2)}\n`
}

function importOf(clause: string, folder: string, path: string): string {
  const short = relative(folder, path).split(sep).join('/')
  return `import ${clause} from ${quote(short.startsWith('../') ? short : `./${short}`)}\n`
}

/** The members of a file's row beside its data. The resources of a database begin with the name of its folder. */
function describe({ kind, name, scenario }: ImportedFile): string {
  const prefix = kind === 'database' ? name.slice(0, name.lastIndexOf('/') + 1) : name
  return [
    ...(kind === 'resource' ? [] : [`kind: ${quote(kind)}, `]),
    `name: ${quote(prefix)}, `,
    ...(scenario === undefined ? [] : [`scenario: ${quote(scenario)}, `]),
  ].join('')
}

function quote(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1)
  return `'${inner.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
