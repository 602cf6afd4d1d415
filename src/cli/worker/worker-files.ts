import { readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { exists } from '../../loader/discover/discover.ts'
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
    [config]: toWranglerConfig(toWorkerName(name)),
    '.github/workflows/mock.yml': toWorkflow(
      `npx wrangler@4 deploy${option}`,
      await chooseInstallation(project.folder),
    ),
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

/** The way in which a workflow installs the packages of a project. */
interface Installation {
  command: string
  /** Further options of `actions/setup-node`. */
  setup: string
}

/** The installations by lock file. In CI, no command changes the lock file. */
const installations: readonly (readonly [file: string, installation: Installation])[] = [
  ['package-lock.json', { command: 'npm ci', setup: ', cache: npm' }],
  ['pnpm-lock.yaml', { command: 'corepack enable && pnpm install', setup: '' }],
  ['yarn.lock', { command: 'corepack enable && yarn install', setup: '' }],
  ['bun.lock', { command: 'npx bun install', setup: '' }],
]

async function chooseInstallation(folder: string): Promise<Installation> {
  for (const [file, installation] of installations) {
    if (await exists(join(folder, file))) return installation
  }
  return { command: 'npm install', setup: '' }
}

function toWorkflow(deploy: string, { command, setup }: Installation): string {
  return `# Deploys the mock from the main branch. Each pull request has a session of its own, pr-<number>, with the
# fixtures of its branch. A preview deployment sends the name of the session in the header X-Mock-Session.
#
# Secrets of the repository: CLOUDFLARE_API_TOKEN, and MOCK_TOKEN, the token of the control, which is also a
# secret of the worker ("npx wrangler secret put MOCK_TOKEN"). Variable: MOCK_URL, the address of the worker.
name: mock
on:
  push:
    branches: [main]
  pull_request:
    types: [opened, reopened, synchronize, closed]

jobs:
  deploy:
    if: github.event_name == 'push'
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 22${setup} }
      - run: ${command}
      - run: ${deploy}
        env:
          CLOUDFLARE_API_TOKEN: \${{ secrets.CLOUDFLARE_API_TOKEN }}

  session:
    # A pull request of a fork has no secrets.
    if: github.event_name == 'pull_request' && github.event.pull_request.head.repo.full_name == github.repository
    runs-on: ubuntu-latest
    env:
      MOCK_URL: \${{ vars.MOCK_URL }}
      MOCK_TOKEN: \${{ secrets.MOCK_TOKEN }}
      SESSION: pr-\${{ github.event.number }}
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 22${setup} }
      - name: Upload the fixtures of the pull request
        if: github.event.action != 'closed'
        run: |
          ${command}
          node --input-type=module <<'JS'
          import { loadMock } from 'fixtura/node'
          const { MOCK_URL, MOCK_TOKEN, SESSION } = process.env
          const { db } = await loadMock()
          for (const [name, resource] of Object.entries(db)) {
            const response = await fetch(new URL('/__mock/fixtures', MOCK_URL), {
              method: 'PUT',
              headers: { Authorization: \`Bearer \${MOCK_TOKEN}\`, 'X-Mock-Session': SESSION },
              body: JSON.stringify({ [name]: 'all' in resource ? resource.all() : resource.get() }),
            })
            if (!response.ok) throw new Error(\`\${name}: \${await response.text()}\`)
          }
          JS
      - name: Remove the session of a closed pull request
        if: github.event.action == 'closed'
        run: >-
          curl --fail -X DELETE "$MOCK_URL/__mock/sessions"
          -H "Authorization: Bearer $MOCK_TOKEN" -d "\\"$SESSION\\""
`
}

/** Writes the module `mock-worker.js` with which a bundler starts: the imports of a configuration and its files. */
async function writeEntry({ folder, files }: WorkerProject): Promise<string> {
  const names = files.map((_, at) => `file${at + 1}`)
  const imports = files.map(({ path }, at) => importOf(`* as ${names[at]}`, folder, path))
  const rows = files.map((file, at) => `      { ${describe(file)}data: ${names[at]} },\n`)
  return `// The mock as a Cloudflare Worker: see "Cloudflare Workers" in the documentation of Fixtura.
// Everything that is imported makes it larger. In place of all behaviours and dialects, it can have those that
// mock.config.* and the files name: import { auth, schema } from 'fixtura/behaviours', then behaviours: { auth, schema }.
// For the studio, the page at "/?token=" with the token, uncomment the two lines with "studio".
import * as behaviours from 'fixtura/behaviours'
import * as dialects from 'fixtura/dialects'
import { createProjectWorker } from 'fixtura/worker'
// import { studio } from 'fixtura/studio'
${await importConfig(folder)}${imports.join('')}
const worker = await createProjectWorker(
  {
    config,
    behaviours,
    dialects,
    files: [
${rows.join('')}    ],
  },
  {
    // studio,
  },
)

export const { MockSession } = worker
export default worker
`
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
