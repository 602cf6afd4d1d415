import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, extname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { Diagnostic } from '../../core/fixtures/source.ts'
import { isForeign, isReadable, KINDS, listSome } from './extensions.ts'
import { findProblem } from './path-problem.ts'

/** A file that holds fixtures, and what its place says about it. */
export interface FixtureFile {
  /** The absolute path it was found under. */
  path: string
  /** The path as messages show it: relative to the working directory where that is shorter. */
  label: string
  /** A database holds several resources; a resource is the whole file; a schema describes one. */
  kind: 'database' | 'resource' | 'schema'
  /** The resource's name: path segments joined by `/`. Empty for a database. */
  name: string
  /** The scenario it belongs to, if it stands below `_scenarios`. */
  scenario?: string
}

/** What the paths lead to. */
export interface Discovery {
  files: FixtureFile[]
  diagnostics: Diagnostic[]
  /** Absolute paths that could not be looked into, so that nothing is known about what stands there. */
  unknown: string[]
  /** Labels of files in folders that look like fixtures, and are of a kind that is not read. */
  passedOver: string[]
}

/** Finds the fixture files of folders and of files named by hand, in a stable order. */
export async function discover(paths: readonly string[], cwd: string): Promise<Discovery> {
  const found: Discovery = { files: [], diagnostics: [], unknown: [], passedOver: [] }
  for (const path of new Set(paths.map((path) => resolve(cwd, path)))) {
    await discoverPath(path, cwd, found)
  }
  return found
}

/** Whether a name inside a fixtures folder is passed over. */
export function isIgnored(name: string): boolean {
  return name.startsWith('.') || name.startsWith('_') || name === 'node_modules'
}

/** The folder whose sub-folders are named sets of fixtures. */
export const SCENARIOS = '_scenarios'

/** The path as messages show it; `relative` leads to another drive of Windows by its absolute path. */
export function toLabel(path: string, cwd: string): string {
  const short = relative(cwd, path)
  if (short === '') return '.'
  const isElsewhere = short === '..' || short.startsWith(`..${sep}`) || isAbsolute(short)
  return isElsewhere ? path : short.split(sep).join('/')
}

async function discoverPath(path: string, cwd: string, found: Discovery): Promise<void> {
  const label = toLabel(path, cwd)
  try {
    const stats = await stat(path)
    if (!stats.isDirectory()) {
      if (isReadable(path)) found.files.push({ path, label, kind: 'database', name: '' })
      else found.diagnostics.push(unreadableKind(label))
      return
    }
  } catch (error) {
    const advice = 'Please check the path, or run `mock init` for a first fixtures folder.'
    found.diagnostics.push(await findProblem(path, label, error, advice))
    found.unknown.push(path)
    return
  }
  const before = found.files.length
  const problems = found.diagnostics.length
  const passed = found.passedOver.length
  const seen = new Set([await realpath(path).catch(() => path)])
  await walk({ path, cwd, segments: [], seen }, found)
  const isEmpty = !found.files.slice(before).some((file) => file.scenario === undefined)
  if (isEmpty && found.diagnostics.length === problems) {
    found.diagnostics.push(noFixtures(label, found.passedOver.slice(passed)))
  }
}

function noFixtures(label: string, passedOver: readonly string[]): Diagnostic {
  const isBare = passedOver.length === 0
  const others = isBare ? '' : ` but ${listSome(passedOver)}, which are not read`
  return {
    severity: 'error',
    file: label,
    message: `Failed to load "${label}": the folder holds no fixtures${others}.`,
    advice: isBare
      ? `Please add a file such as ${label}/posts.json that holds an array of records.`
      : `Please write them as ${KINDS}.`,
  }
}

interface Folder {
  path: string
  cwd: string
  segments: string[]
  scenario?: string
  /** Real paths of the folders above, so that a link to one of them ends. */
  seen: Set<string>
}

async function walk(folder: Folder, found: Discovery): Promise<void> {
  for (const item of await listFolder(folder, found)) {
    const { name } = item
    if (isIgnored(name) && !(name === SCENARIOS && isTop(folder))) continue
    if (item.isDirectory() || (item.isSymbolicLink() && (await leadsToFolder(folder, name)))) {
      await walkInto(folder, name, found)
    } else if (isReadable(name)) addFile(folder, name, found)
    else if (isForeign(name)) {
      found.passedOver.push(toLabel(join(folder.path, name), folder.cwd))
    }
  }
}

/** A link that leads nowhere is a file that cannot be read, and is reported as one. */
function leadsToFolder(folder: Folder, name: string): Promise<boolean> {
  return stat(join(folder.path, name)).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
}

async function walkInto(folder: Folder, name: string, found: Discovery): Promise<void> {
  const path = join(folder.path, name)
  const real = await realpath(path).catch(() => path)
  if (folder.seen.has(real)) return
  const inner: Folder = { ...folder, path, seen: new Set(folder.seen).add(real) }
  if (name !== SCENARIOS) {
    await walk({ ...inner, segments: [...folder.segments, name] }, found)
    return
  }
  for (const item of await listFolder(inner, found)) {
    if (isIgnored(item.name) || !(item.isDirectory() || (await leadsToFolder(inner, item.name))))
      continue
    const below = { ...inner, path: join(path, item.name), segments: [], scenario: item.name }
    await walk(below, found)
  }
}

function isTop(folder: Folder): boolean {
  return folder.segments.length === 0 && folder.scenario === undefined
}

async function listFolder(folder: Folder, found: Discovery): Promise<Dirent[]> {
  try {
    const items = await readdir(folder.path, { withFileTypes: true })
    return items.sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    found.diagnostics.push(await findProblem(folder.path, toLabel(folder.path, folder.cwd), error))
    found.unknown.push(folder.path)
    return []
  }
}

function addFile(folder: Folder, name: string, found: Discovery): void {
  const path = join(folder.path, name)
  const stem = basename(name, extname(name))
  const isSchema = stem.endsWith('.schema')
  found.files.push({
    path,
    label: toLabel(path, folder.cwd),
    kind: isSchema ? 'schema' : 'resource',
    name: [...folder.segments, isSchema ? stem.slice(0, -'.schema'.length) : stem].join('/'),
    ...(folder.scenario === undefined ? {} : { scenario: folder.scenario }),
  })
}

function unreadableKind(label: string): Diagnostic {
  const extension = extname(label)
  return {
    severity: 'error',
    file: label,
    message: `Failed to load "${label}": ${extension || 'a file without an extension'} is not read.`,
    advice: `Please name a folder or a ${KINDS} file.`,
  }
}
