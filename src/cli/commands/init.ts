import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { isName, wrongValue } from '../../core/errors/check.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import { isRecord, type Json } from '../../core/json/json.ts'
import { listConfigFiles } from '../../load/config/config-file.ts'
import { codeOf } from '../../core/errors/error-details.ts'
import { toLabel } from '../../loader/discover/discover.ts'
import { exists } from '../../loader/discover/exists.ts'
import { toPersistProblem } from '../../loader/persist/persist-problem.ts'
import type { Arguments } from '../arguments/arguments.ts'
import { toPrintable } from '../output/printable.ts'
import type { Terminal } from '../output/terminal.ts'
import { starterConfig, starterFixtures, starterJson } from './starter.ts'
import { readProject, readProjectConfig } from '../worker/project.ts'
import { createWorkerFiles } from '../worker/worker-files.ts'

/** `mock init`: writes starter files. Existing files stay as they are, except an outdated worker script. */
export async function runInit({ values }: Arguments, terminal: Terminal): Promise<number> {
  const { io, print, paint } = terminal
  const folder = io.cwd()
  const own = await readPackage(folder)
  const { outcomes, omitted, command } = await writeAll(folder, own, {
    isJson: values['json'] === true,
    isWorker: values['worker'] === true,
  }).catch((error: unknown) => {
    throw toError(folder, error)
  })
  for (const [name, what] of outcomes) {
    print(`${(what === 'wrote' ? paint.green : paint.dim)(what.padEnd(5))}  ${name}`)
  }
  if (omitted.length > 0) print('\nNot in the worker:')
  for (const one of omitted) print(`  ${toPrintable(one)}`)
  print(`\nNext: ${paint.bold(command)}`)
  return 0
}

/** The result of `mock init`. */
interface Written {
  /** The outcome of each file. */
  outcomes: Outcome[]
  /** The parts of the project that the worker does not have, each with the reason. */
  omitted: string[]
  /** The command to run next. */
  command: string
}

/** Writes all files, with `isWorker` also those of a worker. */
async function writeAll(
  folder: string,
  own: Package,
  { isJson, isWorker }: { isJson: boolean; isWorker: boolean },
): Promise<Written> {
  // Everything that exists is read before the first write: a wrong file ends the command.
  const script = findWorker(folder)
  const targets = script === undefined ? [] : workerFolders(own)
  const config = isWorker ? await readProjectConfig(folder) : undefined
  const named = [config?.config.fixtures ?? []].flat().join(', ')
  const found = named === '' ? await findFixtures(folder) : named
  const existing = config && found !== undefined ? await readProject(folder, config) : undefined
  const outcomes = [
    ...(found === undefined ? await writeFixtures(folder) : [[found, 'kept'] as const]),
    ...(await writeConfig(folder, found ?? 'fixtures/', isJson ? undefined : own)),
    ...(await writeWorker(folder, script ?? '', targets)),
  ]
  if (!config) return { outcomes, omitted: [], command: 'npx fixtura server' }
  const project = existing ?? (await readProject(folder, config))
  const { files, ...rest } = await createWorkerFiles(project, own.name)
  return { outcomes: [...outcomes, ...(await writeFiles(folder, files))], ...rest }
}

/** A path, and whether `mock init` wrote it or kept the existing file. */
type Outcome = readonly [name: string, what: 'wrote' | 'kept']

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
interface Package {
  name?: unknown
  type?: unknown
  msw?: unknown
}

async function readPackage(folder: string): Promise<Package> {
  try {
    const own: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    return isRecord(own) ? own : {}
  } catch {
    return {}
  }
}

/** The folders of the worker script. @throws MockError when package.json gives something else */
function workerFolders({ msw }: Package): string[] {
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

/** The fixtures that the project has already: a folder with visible files, else a database. */
async function findFixtures(folder: string): Promise<string | undefined> {
  const names = await readdir(join(folder, 'fixtures')).catch((): string[] => [])
  if (names.some((name) => !name.startsWith('.'))) return 'fixtures/'
  return (await exists(join(folder, 'db.json'))) ? 'db.json' : undefined
}

async function writeFixtures(folder: string): Promise<Outcome[]> {
  await mkdir(join(folder, 'fixtures'), { recursive: true })
  return Promise.all(
    Object.entries(starterFixtures).map(([name, value]) =>
      write(folder, `fixtures/${name}.json`, `${JSON.stringify(value satisfies Json, null, 2)}\n`),
    ),
  )
}

/** Writes the configuration file: a module, or without a project JSON. */
async function writeConfig(
  folder: string,
  fixtures: string,
  own: Package | undefined,
): Promise<Outcome[]> {
  const existing = await listConfigFiles(folder)
  if (existing.length > 0) return existing.map((name) => [name, 'kept'])
  if (!own) return [await write(folder, 'mock.config.json', starterJson(fixtures))]
  // In a CommonJS package Node warns about every ES module that is not named .mjs.
  const name = own.type === 'module' ? 'mock.config.js' : 'mock.config.mjs'
  return [await write(folder, name, starterConfig(fixtures))]
}

/** Writes the worker script of the installed MSW; replaces a script of another version. */
async function writeWorker(
  folder: string,
  script: string,
  targets: readonly string[],
): Promise<Outcome[]> {
  return Promise.all(
    targets.map(async (target): Promise<Outcome> => {
      const path = resolve(folder, target, 'mockServiceWorker.js')
      const name = toLabel(path, folder)
      const [own, existing] = await Promise.all([
        readFile(script, 'utf8'),
        readFile(path, 'utf8').catch(() => ''),
      ])
      const isForeign = existing !== '' && !existing.includes('Mock Service Worker')
      if (isForeign || existing === own) return [name, 'kept']
      await mkdir(dirname(path), { recursive: true })
      await copyFile(script, path)
      return [name, 'wrote']
    }),
  )
}

function findWorker(folder: string): string | undefined {
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
