import { statSync } from 'node:fs'
import { sep } from 'node:path'
import { discover, type Discovery, type FixtureFile } from '../discover/discover.ts'
import { createContentCache } from '../read/file-content.ts'
import type { Source } from '../../core/fixtures/source.ts'
import { combine, readAll, type LoadOptions, type LoadResult } from '../load.ts'
import { readFixture, type LoadedFile } from '../read/read-file.ts'
import { isRacy, isSameStamp, toStamp, type Stamp } from '../read/stamp.ts'
import { compare, type FixtureChange } from './change.ts'
import { checkFile, prepareCheck } from './check-file.ts'
import { createNewFiles, type PrepareFile, toUnprepared } from './new-files.ts'
import { createProblemTracker } from './problem-tracker.ts'
import { reuseSources } from './reuse-values.ts'

/**
 * Compares the loaded fixture files with the files on the disk each time `scan` is called, reads changed
 * files again, and notifies a listener of the changed resources and problems.
 */
export interface Scanner {
  /** All fixtures as they are now; a broken file with its last good content. */
  current(): LoadResult
  /**
   * Scans the disk once, after all earlier scans. Changed files are read at once; a file that is broken or
   * gone may be half-written, so that its state counts only after 150 ms without a change on the disk. With
   * a path, only that file is read if that suffices. Returns how many milliseconds the disk has to stay
   * quiet before the scan in which that state counts; undefined where nothing waits. Calls that wait for the
   * same full scan share the scan.
   */
  scan(path?: string): Promise<number | undefined>
  /** Whether the resource of a source is served from this source. */
  isServed(source: Source): boolean
  /** Computes once what the next saves need to be read quickly; takes as long as parsing the files. */
  prepare(): void
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

/**
 * Creates a scanner that starts from loaded files. The listener is called at the end of a scan, before
 * the next scan starts.
 */
export function createScanner(
  paths: readonly string[],
  loaded: LoadResult,
  listener: (change: FixtureChange) => void,
  options: LoadOptions = {},
): Scanner {
  let current = toOwn(loaded)
  /** The index of each source in `current.sources`, by its file and key; undefined until it is needed. */
  let positions: Map<string, number> | undefined
  let waiting: Promise<number | undefined> | undefined
  let queue: Promise<unknown> = Promise.resolve()
  const problems = createProblemTracker(loaded.diagnostics)
  // Files that changed recently are read again once the disk is quiet: a second save in the same tick of
  // the file system's clock leaves the same stamp.
  const recent = new Set<string>()
  for (const { path, stamp } of loaded.files.values()) if (stamp && isRacy(stamp)) recent.add(path)
  // When a scan last found a change; undefined after a scan has found the disk quiet.
  let changedAt = recent.size > 0 ? performance.now() : undefined
  const missing = new Set<string>()
  // The stamps at which checks last found files half-written.
  const halfWritten = new Map<string, Stamp>()
  const newFiles = createNewFiles(loaded.files.values())
  const contentCache = createContentCache()
  for (const { path, content } of loaded.files.values()) contentCache.put(path, content)

  const exclusive = <T>(run: () => T | Promise<T>): Promise<T> => {
    const result = queue.then(run)
    queue = result.catch(() => undefined)
    return result
  }

  const quietTimeLeft = (): number | undefined =>
    changedAt === undefined ? undefined : Math.max(0, changedAt + QUIET - performance.now())

  const read = async (file: FixtureFile, isQuiet: boolean): Promise<LoadedFile> => {
    const before = current.files.get(file.path)
    const errors = await newFiles.prepare(file)
    if (errors.length > 0) return toUnprepared(file, errors)
    const isReliable = !recent.has(file.path)
    if (before && (isReliable || !isQuiet) && isUntouched(before)) return before
    const now = reuseSources(await readFixture(file, options.id, before), before)
    contentCache.put(file.path, now.content)
    if (isQuiet) prepareCheck(now)
    recent.delete(file.path)
    if (before && isSameRead(before, now)) return now
    recent.add(file.path)
    changedAt = performance.now()
    return now
  }

  /** The files that are not found any more and may be half-written: they stay until the disk is quiet. */
  const findRetained = (found: Discovery, isQuiet: boolean): LoadedFile[] => {
    const isFound = new Set(found.files.map((file) => file.path))
    for (const path of missing) if (isFound.has(path)) missing.delete(path)
    const gone = [...current.files.values()].filter((file) => !isFound.has(file.path))
    return gone.filter(({ path }) => {
      if (found.unknown.some((folder) => path === folder || path.startsWith(folder + sep)))
        return true
      if (isQuiet && missing.delete(path)) return false
      if (!missing.has(path)) changedAt = performance.now()
      missing.add(path)
      return true
    })
  }

  const scanAll = async (): Promise<number | undefined> => {
    const isQuiet = quietTimeLeft() === 0
    if (isQuiet) changedAt = undefined
    const found = await discover(paths, options.cwd ?? process.cwd())
    const files = await readAll(found.files, (file) => read(file, isQuiet))
    const retained = findRetained(found, isQuiet)
    const before = current
    current = toOwn(await combine(found, [...files, ...retained], before))
    positions = undefined
    const news = problems.update(current.diagnostics, isQuiet && changedAt === undefined)
    if (news.isPending) changedAt ??= performance.now()
    newFiles.forget(current.files)
    const reported = [...newFiles.takeWarnings(), ...news.reported]
    const change = compare(before, current, { ...news, reported })
    if (change) listener(change)
    return quietTimeLeft()
  }

  const positionOf = ({ source }: Source): number | undefined => {
    positions ??= new Map(current.sources.map((one, at) => [one.source, at]))
    return positions.get(source)
  }

  // Changes `current` in place: a copy for each of many files would take quadratic time.
  const accept = (file: LoadedFile): void => {
    for (const source of file.sources) {
      const at = positionOf(source)
      if (at !== undefined) current.sources[at] = source
    }
    const old = current.files.get(file.path)?.diagnostics ?? []
    const solved = old.filter((one) => !file.diagnostics.includes(one))
    if (solved.length > 0) {
      current.diagnostics = current.diagnostics.filter((one) => !solved.includes(one))
    }
    current.files.set(file.path, file)
    contentCache.put(file.path, file.content)
    recent.add(file.path)
    // The file has to be read again, but does not prolong the quiet time that other files wait for.
    changedAt ??= performance.now()
  }

  /** Scans one file; returns false where a full scan has to follow. */
  const scanFile = (path: string): boolean => {
    const known = current.files.get(path)
    const half = halfWritten.get(path)
    const check = known && checkFile(known, options.id, half)
    if (!known || !check) return false
    missing.delete(path)
    if ('halfWritten' in check) {
      halfWritten.set(path, check.halfWritten)
      if (check.halfWritten !== half) changedAt = performance.now()
      return true
    }
    if (check.file === known) return true
    changedAt = performance.now()
    const before = { ...current, sources: [...current.sources] }
    accept(check.file)
    const change = compare(before, current, problems.update(current.diagnostics, false))
    if (change) listener(change)
    return true
  }

  const scanAllOnce = (): Promise<number | undefined> => {
    waiting ??= exclusive(() => {
      waiting = undefined
      return scanAll()
    })
    return waiting
  }

  return {
    current: () => current,
    scan(path) {
      if (path === undefined) return scanAllOnce()
      const scanned = exclusive(() => scanFile(path))
      return scanned.then((isEnough) => (isEnough ? quietTimeLeft() : scanAllOnce()))
    },
    isServed(source) {
      const at = positionOf(source)
      return at !== undefined && current.sources[at] === source
    },
    prepare() {
      for (const file of current.files.values()) prepareCheck(file)
    },
    prepareNewFiles: newFiles.prepareWith,
    exclusive,
    accept,
  }
}

/** In milliseconds. */
const QUIET = 150

/** A result that can be changed in place. */
interface OwnResult extends LoadResult {
  files: Map<string, LoadedFile>
}

function toOwn(result: LoadResult): OwnResult {
  return { ...result, sources: [...result.sources], files: new Map(result.files) }
}

function isUntouched(file: LoadedFile): boolean {
  try {
    return file.stamp !== undefined && isSameStamp(file.stamp, toStamp(statSync(file.path)))
  } catch {
    return false
  }
}

function isSameRead(before: LoadedFile, now: LoadedFile): boolean {
  if (!before.stamp || !now.stamp) return before.stamp === now.stamp
  return before.content === now.content && isSameStamp(before.stamp, now.stamp)
}
