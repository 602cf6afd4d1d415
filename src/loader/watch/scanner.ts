import { sep } from 'node:path'
import { type Diagnostic, isError, type Source } from '../../core/fixtures/source.ts'
import {
  discover,
  type Discovery,
  type FixtureFile,
  isSameDiscovery,
} from '../discover/discover.ts'
import { combine, type LoadOptions, type LoadResult, readAll } from '../load.ts'
import { type LoadedFile, readFixture } from '../read/read-file.ts'
import { isRacy, isSameStamp, isUnchanged } from '../read/stable-read.ts'
import { compare, createProblemTracker, type FixtureChange } from './change.ts'

/** Compares the loaded files with the disk at each `scan`, reads changed files, and notifies a listener. */
export interface Scanner {
  /** All fixtures as they are now; a broken file with its last good content. */
  current(): LoadResult
  /**
   * Scans the disk once, after all earlier scans. Changed files are read at once; a file that is broken, empty or
   * gone may be half-written, so that its state counts only after 150 ms without a change on the disk.
   * Returns how many milliseconds the disk has to stay quiet before the scan in which that state counts;
   * undefined if nothing waits. Calls that wait for the same scan share the scan.
   */
  scan(): Promise<number | undefined>
  /** Whether the resource of a source is served from this source. */
  isServed(source: Source): boolean
  /**
   * Sets the function that prepares each file that is not loaded yet, before its first read. A file that could
   * not be prepared is tried again in each scan; as long as there is an error, its resources are not served.
   */
  prepareNewFiles(prepare: PrepareFile): void
  /** Runs a function while no scan runs. A scan that the function awaits would never start. */
  exclusive<T>(run: () => T | Promise<T>): Promise<T>
  /** Registers a file as the program itself has written it, so that no scan finds it changed. */
  accept(file: LoadedFile): void
}

/** Prepares a file before it is read. */
export type PrepareFile = (file: FixtureFile) => Promise<PreparedFile>

/** The result of preparing a file. */
export interface PreparedFile {
  /** Whether the file need not be prepared again. */
  isDone: boolean
  diagnostics: Diagnostic[]
}

/** Creates a scanner of loaded files, which calls the listener at the end of a scan, before the next starts. */
export function createScanner(
  paths: readonly string[],
  loaded: LoadResult,
  listener: (change: FixtureChange) => void,
  options: LoadOptions = {},
): Scanner {
  let current = toOwn(loaded)
  /** The result of the last discovery; if the next has the same, unchanged files are not combined again. */
  let discovered: Discovery | undefined
  /** The scan that has not started yet. */
  let nextScan: Promise<number | undefined> | undefined
  let queue: Promise<unknown> = Promise.resolve()
  /** The sources of `current`; undefined until they are needed. */
  let served: ReadonlySet<Source> | undefined
  const problems = createProblemTracker(loaded.diagnostics)
  let prepareFile: PrepareFile | undefined
  /** The files that need no preparation: those that were loaded without an error, and prepared files. */
  const prepared = new Set<string>()
  const warnings: Diagnostic[] = []
  // Files that changed recently are read again once the disk is quiet: a second save in the same tick of
  // the file system's clock leaves the same stamp.
  const recent = new Set<string>()
  for (const { path, stamp, diagnostics } of loaded.files.values()) {
    if (!diagnostics.some(isError)) prepared.add(path)
    if (stamp && isRacy(stamp)) recent.add(path)
  }
  /** The loaded files that the last scan did not find, which may be in the middle of a save. */
  let missing = new Set<string>()
  // When a scan last found a change; undefined after a scan has found the disk quiet.
  let changedAt = recent.size > 0 ? performance.now() : undefined

  const quietTimeLeft = (): number | undefined =>
    changedAt === undefined
      ? undefined
      : Math.ceil(Math.max(0, changedAt + SETTLE_MS - performance.now()))

  const exclusive: Scanner['exclusive'] = (run) => {
    const result = queue.then(run)
    queue = result.catch(() => undefined)
    return result
  }

  const isPrepared = (path: string): boolean => !prepareFile || prepared.has(path)

  /** Prepares a file unless that was done. Returns the errors that prevent a read. */
  const prepare = async (file: FixtureFile): Promise<Diagnostic[]> => {
    if (!prepareFile || isPrepared(file.path)) return []
    const { isDone, diagnostics } = await prepareFile(file)
    if (isDone) prepared.add(file.path)
    warnings.push(...diagnostics.filter((one) => !isError(one)))
    return diagnostics.filter(isError).map((error) => ({ ...error, file: file.label }))
  }

  const read = async (file: FixtureFile): Promise<LoadedFile> => {
    const before = current.files.get(file.path)
    const errors = await prepare(file)
    if (errors.length > 0) {
      return { ...file, stamp: undefined, hash: '', sources: [], drafts: [], diagnostics: errors }
    }
    const now = await readFixture(file, options.id, before)
    if (before && isSameRead(before, now)) {
      recent.delete(file.path)
    } else {
      recent.add(file.path)
      changedAt = performance.now()
    }
    return now
  }

  /** The file as it was read before, or as it is now if it may have changed. */
  const readChanged = (file: FixtureFile, isQuiet: boolean): LoadedFile | Promise<LoadedFile> => {
    const before = current.files.get(file.path)
    const isSettled = isPrepared(file.path) && !(isQuiet && recent.has(file.path))
    return before && isSettled && isUnchanged(before) ? before : read(file)
  }

  /** Missing files that stay loaded: all until the disk is quiet, then those in folders that could not be read. */
  const findRetained = ({ files, unknown }: Discovery, isQuiet: boolean): LoadedFile[] => {
    const found = new Set(files.map(({ path }) => path))
    const gone = [...current.files.values()].filter(({ path }) => !found.has(path))
    const isUnknown = ({ path }: LoadedFile): boolean =>
      unknown.some((folder) => path === folder || path.startsWith(folder + sep))
    const retained = gone.filter((file) => isUnknown(file) || !isQuiet || !missing.has(file.path))
    const waiting = retained.filter((file) => !isUnknown(file)).map(({ path }) => path)
    if (waiting.some((path) => !missing.has(path))) changedAt = performance.now()
    missing = new Set(waiting)
    return retained
  }

  const scan = async (): Promise<number | undefined> => {
    nextScan = undefined
    const isQuiet = quietTimeLeft() === 0
    if (isQuiet) changedAt = undefined
    const before = current
    const found = await discover(paths, options.cwd ?? process.cwd())
    const files = await readAll(found.files, (file) => readChanged(file, isQuiet))
    const retained = findRetained(found, isQuiet)
    const isSameSet = retained.length === 0 && discovered && isSameDiscovery(found, discovered)
    if (!isSameSet || !files.every((file) => file === before.files.get(file.path))) {
      current = toOwn(await combine(found, [...files, ...retained], before))
      served = undefined
    }
    discovered = retained.length > 0 ? undefined : found
    const news = problems.update(current.diagnostics, isQuiet && changedAt === undefined)
    if (news.isPending) changedAt ??= performance.now()
    // A file that is gone has to be prepared again when it is back.
    for (const path of prepared) if (!current.files.has(path)) prepared.delete(path)
    const reported = [...warnings.splice(0), ...news.reported]
    const change = compare(before, current, { ...news, reported })
    if (change) listener(change)
    return quietTimeLeft()
  }

  return {
    current: () => current,
    scan: () => (nextScan ??= exclusive(scan)),
    isServed(source) {
      served ??= new Set(current.sources)
      return served.has(source)
    },
    prepareNewFiles(prepare) {
      prepareFile = prepare
    },
    exclusive,
    accept(file) {
      const written = new Map(file.sources.map((source) => [source.file, source]))
      current.sources = current.sources.map((source) => written.get(source.file) ?? source)
      served = undefined
      const old = current.files.get(file.path)?.diagnostics ?? []
      const solved = old.filter((one) => !file.diagnostics.includes(one))
      current.diagnostics = current.diagnostics.filter((one) => !solved.includes(one))
      current.files.set(file.path, file)
      recent.add(file.path)
      // The file has to be read again, but does not prolong the quiet time that other files wait for.
      changedAt ??= performance.now()
    },
  }
}

/** How long the disk has to stay quiet before a broken, empty or missing file counts, in milliseconds. */
const SETTLE_MS = 150

/** A result that can be changed in place. */
interface OwnResult extends LoadResult {
  files: Map<string, LoadedFile>
}

function toOwn(result: LoadResult): OwnResult {
  return { ...result, files: new Map(result.files) }
}

/** Whether two reads of a file have found the same bytes and the same stamp. */
function isSameRead(before: LoadedFile, now: LoadedFile): boolean {
  if (!before.stamp || !now.stamp) return before.stamp === now.stamp
  return before.hash === now.hash && isSameStamp(before.stamp, now.stamp)
}
