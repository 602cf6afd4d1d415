import type { Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, extname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { isSame } from '../../core/json/json.ts'
import type { Diagnostic } from '../../core/fixtures/source.ts'
import {
  describeUnsupported,
  isUnsupported,
  isSupported,
  isToolFile,
  SUPPORTED_EXTENSIONS,
  listSome,
} from './extensions.ts'
import { findPathProblem } from './path-problem.ts'

/** Finds the fixture files at some paths, each a folder or a file, in a stable order, without reading them. */
export async function discover(paths: readonly string[], cwd: string): Promise<Discovery> {
  const found: Discovery = {
    files: [],
    folders: [],
    links: [],
    diagnostics: [],
    unknown: [],
    skipped: [],
  }
  for (const path of new Set(paths.map((path) => resolve(cwd, path)))) {
    await discoverPath(path, cwd, found)
  }
  const count = found.unknown.length + found.files.filter(({ named }) => named).length
  return count > 1 ? { ...found, files: found.files.map(toOneOfSeveral) } : found
}

/** A fixture file on the disk, whose path decides its kind, resource name and scenario. */
export interface FixtureFile {
  /** The absolute path under which the file was found; a link is not resolved. */
  path: string
  /** The path in messages: relative to the working directory if the file is below that. */
  label: string
  /** A database file (`db.json`) has a resource at each key, a resource file is one, a schema file describes one, types of Supabase several. */
  kind: 'database' | 'resource' | 'schema' | 'types'
  /** The name of the resource: path segments joined by `/`. A database has none. */
  name: string
  /** Whether a path names the file itself: its value then decides whether it is a database or a resource. */
  named?: 'alone' | 'together'
  /** The scenario that the file belongs to, for a file below `_scenarios`. */
  scenario?: string
}

/** The fixture files that {@link discover} found. */
export interface Discovery {
  files: FixtureFile[]
  /** The absolute paths of the folders in which fixtures are looked for. */
  folders: string[]
  /** The absolute paths of the symbolic links among the files and folders. */
  links: string[]
  diagnostics: Diagnostic[]
  /** Absolute paths that could not be read, so that their content is unknown. */
  unknown: string[]
  /** Labels of files in folders that belong to tools, or look like fixtures in an unsupported format. */
  skipped: string[]
}

/** Whether two discoveries have the same folders and problems, and the same number of files. */
export function isSameDiscovery(a: Discovery, b: Discovery): boolean {
  const toRest = ({ files, ...rest }: Discovery): unknown => [files.length, rest]
  return isSame(toRest(a), toRest(b))
}

/** A file that is named together with other files, for example because a shell expands `fixtures/*.json`. */
function toOneOfSeveral(file: FixtureFile): FixtureFile {
  if (!file.named) return file
  const name = file.name.replace(/\.schema$/, '')
  return { ...file, name, kind: name === file.name ? file.kind : 'schema', named: 'together' }
}

/** Whether a file or folder with that name is ignored inside a fixtures folder. */
export function isIgnored(name: string): boolean {
  return name.startsWith('.') || name.startsWith('_') || ignored.has(name)
}

/** The file system of a volume has `lost+found` in its root, which few users may read. */
const ignored = new Set(['node_modules', 'lost+found'])

/** The name of the folder whose subfolders are the scenarios. */
export const SCENARIOS = '_scenarios'

/** The path in messages: relative, with slashes, if the path is below the working directory. */
export function toLabel(path: string, cwd: string): string {
  const short = relative(cwd, path)
  if (short === '') return '.'
  // `relative` returns an absolute path for another drive of Windows.
  const isOutside = short === '..' || short.startsWith(`..${sep}`) || isAbsolute(short)
  return isOutside ? path : short.split(sep).join('/')
}

async function discoverPath(path: string, cwd: string, found: Discovery): Promise<void> {
  const label = toLabel(path, cwd)
  try {
    const stats = await stat(path)
    if (!stats.isDirectory()) {
      if (isSupported(path, true)) found.files.push(toNamed(path, label))
      else found.diagnostics.push(toExtensionProblem(label))
      return
    }
  } catch (error) {
    const advice = 'Please check the path, or run `npx fixtura init` for a first fixtures folder.'
    found.diagnostics.push(await findPathProblem(path, label, error, advice))
    found.unknown.push(path)
    return
  }
  const [fileCount, problemCount] = [found.files.length, found.diagnostics.length]
  const skippedCount = found.skipped.length
  const ancestors = new Set([await realpath(path).catch(() => path)])
  await walk({ path, cwd, segments: [], ancestors }, found)
  const isEmpty = !found.files.slice(fileCount).some((file) => file.scenario === undefined)
  if (isEmpty && found.diagnostics.length === problemCount) {
    found.diagnostics.push(toEmptyProblem(label, found.skipped.slice(skippedCount)))
  }
}

function toNamed(path: string, label: string): FixtureFile {
  const kind = isTypes(path) ? 'types' : 'database'
  return { path, label, kind, name: basename(path, extname(path)), named: 'alone' }
}

function toEmptyProblem(label: string, skipped: readonly string[]): Diagnostic {
  const unsupported = skipped.filter((one) => !isToolFile(basename(one)))
  const hasUnsupported = unsupported.length > 0
  const others = hasUnsupported ? `, only unsupported files: ${listSome(unsupported)}` : ''
  return {
    severity: 'error',
    file: label,
    message: `Failed to load "${label}": the folder holds no fixtures${others}.`,
    advice: hasUnsupported
      ? `Please convert them to one of ${SUPPORTED_EXTENSIONS}.`
      : `Please add a file such as ${label}/posts.json that holds an array of records.`,
  }
}

const isTypes = (path: string): boolean => /\.ts$/i.test(path)

interface Folder {
  path: string
  cwd: string
  segments: string[]
  scenario?: string
  /** The real paths of the folder and of the folders above. A link to one of them is not followed. */
  ancestors: Set<string>
}

async function walk(folder: Folder, found: Discovery): Promise<void> {
  const label = toLabel(folder.path, folder.cwd)
  for (const item of await listFolder(folder, found)) {
    const { name } = item
    if (isIgnored(name) && !(name === SCENARIOS && isTop(folder))) continue
    if (item.isSymbolicLink()) found.links.push(join(folder.path, name))
    if (item.isDirectory() || (item.isSymbolicLink() && (await leadsToFolder(folder, name)))) {
      await walkInto(folder, name, found)
    } else if (isSupported(name) && !isToolFile(name)) {
      found.files.push(toFile(folder, label, name))
    } else if (isToolFile(name) || isUnsupported(name)) {
      found.skipped.push(toLabel(join(folder.path, name), folder.cwd))
    }
  }
}

/** Whether a link leads to a folder. A broken link counts as a file, which is reported as unreadable. */
function leadsToFolder(folder: Folder, name: string): Promise<boolean> {
  return stat(join(folder.path, name)).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
}

async function walkInto(folder: Folder, name: string, found: Discovery): Promise<void> {
  const path = join(folder.path, name)
  const real = await realpath(path).catch(() => path)
  if (folder.ancestors.has(real)) return
  const inner: Folder = { ...folder, path, ancestors: new Set(folder.ancestors).add(real) }
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
  found.folders.push(folder.path)
  try {
    const items = await readdir(folder.path, { withFileTypes: true })
    return items.sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    found.diagnostics.push(
      await findPathProblem(folder.path, toLabel(folder.path, folder.cwd), error),
    )
    found.unknown.push(folder.path)
    return []
  }
}

function toFile(folder: Folder, label: string, name: string): FixtureFile {
  const path = join(folder.path, name)
  const stem = basename(name, extname(name))
  const isSchema = stem.endsWith('.schema')
  return {
    path,
    label: label === '.' ? name : isAbsolute(label) ? path : `${label}/${name}`,
    kind: isSchema ? 'schema' : isTypes(name) ? 'types' : 'resource',
    name: [...folder.segments, isSchema ? stem.slice(0, -'.schema'.length) : stem].join('/'),
    ...(folder.scenario === undefined ? {} : { scenario: folder.scenario }),
  }
}

function toExtensionProblem(label: string): Diagnostic {
  return {
    severity: 'error',
    file: label,
    message: `Failed to load "${label}": ${describeUnsupported(label)}.`,
    advice: `Please name a folder or a file with one of the extensions ${SUPPORTED_EXTENSIONS}.`,
  }
}

/** Whether `stat` finds a file or folder; false also without permission, and for a broken link. */
export function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
