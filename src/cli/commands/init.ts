import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { isName, wrongValue } from '../../core/errors/check.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import { isRecord, type Json } from '../../core/json/json.ts'
import { listConfigFiles } from '../../load/config/config-file.ts'
import { resolveConfig } from '../../load/config/resolve-config.ts'
import { loadFrom } from '../../load/load-mock.ts'
import { codeOf } from '../../core/errors/error-details.ts'
import { toLabel, exists } from '../../loader/discover/discover.ts'
import { toPersistProblem } from '../../loader/persist/persist-problem.ts'
import type { Arguments } from '../arguments/parse-arguments.ts'
import { toPrintable } from '../output/printable.ts'
import type { Terminal } from '../output/terminal.ts'
import { askChoices, type Choices, guessChoices, readChoices } from '../init/choices.ts'
import { planSetUp, type SetUp } from '../init/set-up.ts'
import { readProject, readProjectConfig } from '../worker/project.ts'
import { createWorkerFiles } from '../worker/worker-files.ts'

/** `mock init`: writes starter fixtures, a configuration, a set-up and worker scripts; existing files stay, except an old script. */
export async function runInit(args: Arguments, terminal: Terminal): Promise<number> {
  const { io, print, paint, commands } = terminal
  const { values } = args
  const folder = io.cwd()
  const choices = await chooseSetUp(args, terminal)
  if (!choices) {
    print('Nothing was written.')
    return 1
  }
  const { outcomes, omitted, install, next, notes } = await writeAll(folder, {
    isJson: values['json'] === true,
    isWorker: values['worker'] === true,
    document: typeof values['openapi'] === 'string' ? values['openapi'] : undefined,
    choices,
  }).catch((error: unknown) => {
    throw toError(folder, error)
  })
  for (const [name, action] of outcomes) {
    const style = action === 'kept' ? paint.dim : paint.green
    print(`${style(action.padEnd(5))}  ${toPrintable(name)}`)
  }
  if (omitted.length > 0) print('\nNot in the worker:')
  for (const part of omitted) print(`  ${toPrintable(part)}`)
  for (const note of notes) print(`\n${toPrintable(note)}`)
  const isInstalled =
    choices.install && install !== undefined && (await runInstall(install, folder))
  const steps = install === undefined || isInstalled ? next : [install, ...next]
  const lines = steps.map((step) => paint.bold(commands.write(step)))
  print(lines.length === 1 ? `\nNext: ${lines.join('')}` : `\nNext:\n  ${lines.join('\n  ')}`)
  return 0
}

/** Chooses the set-up by options, questions on a terminal, and guesses; undefined when the user cancels. */
async function chooseSetUp(args: Arguments, { io }: Terminal): Promise<Choices | undefined> {
  const folder = io.cwd()
  const { values } = args
  const given = readChoices(args)
  // A project with a configuration is set up already.
  const isSetUp = (await listConfigFiles(folder)).length > 0
  const isPlain = isSetUp || values['worker'] === true || values['openapi'] !== undefined
  const guess = await guessChoices(folder, await readManifest(folder))
  if (isPlain) return { ...guess, framework: 'none', tests: [], editor: false, ...given }
  const isTerminal = io.stdin.isTTY === true && io.stdout.isTTY === true && !io.env['CI']
  const isAsked = isTerminal && values['yes'] !== true
  return isAsked ? askChoices(io, guess, given) : { ...guess, ...given }
}

/** Runs the command that installs packages. Returns whether it succeeded. */
async function runInstall(command: string, cwd: string): Promise<boolean> {
  // Windows starts package managers, which are scripts, by a shell alone; no part of the command is the user's text.
  const installing = spawn(command, { cwd, shell: true, stdio: 'inherit' })
  const [code] = (await once(installing, 'close')) as [number | null]
  return code === 0
}

interface InitResult extends Pick<SetUp, 'install' | 'next' | 'notes'> {
  outcomes: Outcome[]
  /** The parts of the project that the worker does not have, each with the reason. */
  omitted: readonly string[]
}

interface InitOptions {
  isJson: boolean
  isWorker: boolean
  /** The OpenAPI document whose data and path are written. */
  document: string | undefined
  choices: Choices
}

/** Writes all files, with `isWorker` also those of a worker. */
async function writeAll(
  folder: string,
  { isJson, isWorker, document, choices }: InitOptions,
): Promise<InitResult> {
  // Everything that exists is read before the first write: a wrong file ends the command.
  const manifest = await readManifest(folder)
  const script = findMswScript(folder)
  const scriptFolders = script === undefined ? [] : mswFoldersOf(manifest)
  const hasSetUp = choices.framework !== 'none' || choices.tests.length > 0
  const isConfigured = (hasSetUp || choices.agents) && (await listConfigFiles(folder)).length > 0
  const config = isWorker || isConfigured ? await readProjectConfig(folder) : undefined
  const configured = [config?.fixtures ?? []].flat().join(', ')
  const fixtures = configured === '' ? await findFixtures(folder) : configured
  const existing =
    isWorker && config && fixtures !== undefined ? await readProject(folder, config) : undefined
  const data = document === undefined ? starterFixtures : await readData(folder, document)
  const options = {
    fixtures: fixtures ?? 'fixtures/',
    ...(document !== undefined && { openapi: document }),
    ...(hasSetUp && { base: '/api' }),
  }
  const isNew = fixtures === undefined || document !== undefined
  const outcomes = [
    ...(isNew ? await writeFixtures(folder, data) : [[fixtures, 'kept'] as const]),
    ...(await writeConfig(folder, options, configNameFor(manifest, isJson))),
    ...(await writeMswScript(folder, script ?? '', scriptFolders)),
  ]
  const { files, edits, ...steps } = await planSetUp(
    {
      folder,
      manifest,
      fixtures: config?.fixtures ?? options.fixtures,
      base: isConfigured ? (config?.base ?? '') : (options.base ?? ''),
    },
    choices,
  )
  outcomes.push(...(await writeFiles(folder, files)), ...(await writeEdits(folder, edits)))
  if (choices.editor) outcomes.push(...(await writeEditor(folder)))
  if (!isWorker || !config) return { outcomes, omitted: [], ...steps }
  const project = existing ?? (await readProject(folder, config))
  const { files: workerFiles, command, omitted } = await createWorkerFiles(project, manifest.name)
  outcomes.push(...(await writeFiles(folder, workerFiles)))
  return { outcomes, omitted, ...steps, next: [command, ...(hasSetUp ? steps.next : [])] }
}

/** A path, and whether `mock init` wrote the file, added to it, or kept the existing one. */
type Outcome = readonly [name: string, action: 'wrote' | 'added' | 'kept']

/** Writes the files of editors. @throws MockError with the position of every error in the fixtures */
async function writeEditor(folder: string): Promise<Outcome[]> {
  const { createEditorFiles } = await import('../../load/editor-files.ts')
  const resolved = await resolveConfig([], folder)
  const { mock } = await loadFrom({ ...resolved, persist: false })
  const written = await createEditorFiles(mock, resolved)()
  return written.map((name) => [name, 'wrote'])
}

/** Replaces the texts of files to which something was added. */
async function writeEdits(folder: string, edits: SetUp['edits']): Promise<Outcome[]> {
  return Promise.all(
    Object.entries(edits).map(async ([name, text]): Promise<Outcome> => {
      const path = join(folder, name)
      if ((await readFile(path, 'utf8')) === text) return [name, 'kept']
      await writeFile(path, text)
      return [name, 'added']
    }),
  )
}

/** Writes files by path, and the folders that they are in. */
async function writeFiles(
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    outcomes.push(await write(folder, name, content))
  }
  return outcomes
}

/** The fields of a package.json that `mock init` reads. */
interface Manifest {
  name?: unknown
  type?: unknown
  msw?: unknown
  dependencies?: unknown
  devDependencies?: unknown
}

async function readManifest(folder: string): Promise<Manifest> {
  try {
    const manifest: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    return isRecord(manifest) ? manifest : {}
  } catch {
    return {}
  }
}

/** The folders of the service worker of MSW. @throws MockError when package.json gives something else */
function mswFoldersOf({ msw }: Manifest): string[] {
  const { workerDirectory = 'public' } = (isRecord(msw) ? msw : {}) as { workerDirectory?: unknown }
  const folders = [workerDirectory].flat()
  if (isFolders(folders)) return folders
  throw wrongValue(
    '"msw.workerDirectory" in package.json',
    workerDirectory,
    'a folder, or a list of folders',
  )
}

function isFolders(folders: unknown[]): folders is string[] {
  return folders.every((folder) => isName[0](folder))
}

/** Finds the fixtures that the project has already: a folder with visible files, otherwise a database. */
async function findFixtures(folder: string): Promise<string | undefined> {
  const names = await readdir(join(folder, 'fixtures')).catch((): string[] => [])
  if (names.some((name) => !name.startsWith('.'))) return 'fixtures/'
  return (await exists(join(folder, 'db.json'))) ? 'db.json' : undefined
}

/** Reads the data that an OpenAPI document has and that its schemas give. @throws MockError */
async function readData(folder: string, document: string): Promise<Readonly<Record<string, Json>>> {
  const { loadOpenApi } = await import('../../load/load-openapi.ts')
  const source = await loadOpenApi(resolve(folder, document), { cwd: folder })
  return source.createData({})
}

async function writeFixtures(
  folder: string,
  data: Readonly<Record<string, Json>>,
): Promise<Outcome[]> {
  await mkdir(join(folder, 'fixtures'), { recursive: true })
  return Promise.all(
    Object.entries(data).map(([name, value]) =>
      write(folder, `fixtures/${name}.json`, `${JSON.stringify(value satisfies Json, null, 2)}\n`),
    ),
  )
}

function configNameFor({ type }: Manifest, isJson: boolean): string {
  if (isJson) return 'mock.config.json'
  // In a CommonJS package Node warns about every ES module that is not named .mjs.
  return type === 'module' ? 'mock.config.js' : 'mock.config.mjs'
}

/** Writes the configuration file, unless the folder has one of any name. */
async function writeConfig(
  folder: string,
  options: ConfigOptions,
  name: string,
): Promise<Outcome[]> {
  const existing = await listConfigFiles(folder)
  if (existing.length > 0) return existing.map((one) => [one, 'kept'])
  const toText = name.endsWith('.json') ? starterJson : starterConfig
  return [await write(folder, name, toText(options))]
}

/** Writes the service worker of the installed MSW; replaces a script of another version. */
async function writeMswScript(
  folder: string,
  script: string,
  targets: readonly string[],
): Promise<Outcome[]> {
  return Promise.all(
    targets.map(async (target): Promise<Outcome> => {
      const path = resolve(folder, target, 'mockServiceWorker.js')
      const name = toLabel(path, folder)
      const [current, existing] = await Promise.all([
        readFile(script, 'utf8'),
        readFile(path, 'utf8').catch(() => ''),
      ])
      const isForeign = existing !== '' && !existing.includes('Mock Service Worker')
      if (isForeign || existing === current) return [name, 'kept']
      await mkdir(dirname(path), { recursive: true })
      await copyFile(script, path)
      return [name, 'wrote']
    }),
  )
}

/** The service worker of the MSW that the project has installed; undefined without MSW. */
function findMswScript(folder: string): string | undefined {
  try {
    return createRequire(join(folder, 'package.json')).resolve('msw/mockServiceWorker.js')
  } catch {
    return undefined
  }
}

async function write(folder: string, name: string, content: string): Promise<Outcome> {
  try {
    await writeFile(join(folder, name), content, { flag: 'wx' })
    return [name, 'wrote']
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return [name, 'kept']
    throw error
  }
}

/** Turns an error of the file system into a MockError; returns any other error unchanged. */
function toError(folder: string, cause: unknown): unknown {
  const { path = '', dest = path } = cause as { path?: string; dest?: string }
  if (path === '') return cause
  const isObstructed = ['EEXIST', 'ENOENT', 'ENOTDIR'].includes(codeOf(cause))
  const name = relative(folder, dest)
  const { message, advice } = isObstructed
    ? {
        message: `Failed to write "${name}": a file or a broken link is in the place of a folder.`,
        advice: 'Please rename or remove it.',
      }
    : toPersistProblem(name, cause, '.')
  return new MockError(`${message} ${advice}`, { cause })
}

/** The fixtures of a project without fixtures: a collection, its children and a singleton. */
const starterFixtures: Readonly<Record<string, Json>> = {
  posts: [
    { id: 1, title: 'Hello, world', views: 120, published: true },
    { id: 2, title: 'Mocking an API', views: 64, published: true },
    { id: 3, title: 'A draft', views: 0, published: false },
  ],
  comments: [
    { id: 1, postId: 1, author: 'Ada', text: 'Nice to meet you.' },
    { id: 2, postId: 1, author: 'Grace', text: 'Same here.' },
    { id: 3, postId: 2, author: 'Ada', text: 'That was quick.' },
  ],
  profile: { name: 'Ada Lovelace', theme: 'dark' },
}

/** The options of a new configuration file: `fixtures` is a folder, or a file of all fixtures. */
interface ConfigOptions {
  fixtures: string
  openapi?: string
  base?: string
}

function starterConfig({ fixtures, openapi, base }: ConfigOptions): string {
  return `// The options of \`mock server\`. Options on the command line take precedence.

/** @type {import('fixtura/node').FileConfig} */
export default {
${openapi === undefined ? '' : `  openapi: ${JSON.stringify(openapi)},\n`}  fixtures: '${fixtures}',
  ${base === undefined ? "// base: '/api'" : `base: '${base}'`},
  // port: 3000,
}
`
}

/** The configuration file in JSON, whose `$schema` lets editors complete and check the options. */
function starterJson({ fixtures, openapi, base }: ConfigOptions): string {
  const $schema = './node_modules/fixtura/schemas/config.json'
  return `${JSON.stringify({ $schema, openapi, fixtures, base }, null, 2)}\n`
}
