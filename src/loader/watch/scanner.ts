import {
  discover,
  type Discovery,
  type FixtureFile,
  isSameDiscovery,
  mayBeFixture,
} from '../discover/discover.ts'
import { createContentCache } from '../read/file-content.ts'
import type { Source } from '../../core/fixtures/source.ts'
import { combine, readAll, type LoadOptions, type LoadResult } from '../load.ts'
import { readFixture, type LoadedFile } from '../read/read-file.ts'
import { createYield } from '../read/yield.ts'
import { isRacy } from '../read/stamp.ts'
import { compare, type FixtureChange } from './change.ts'
import { computeOutline } from './check-file.ts'
import { createExclusive } from './exclusive.ts'
import { createFileChecks } from './file-checks.ts'
import { createMissingFiles } from './missing-files.ts'
import { createNewFiles, type PrepareFile, toUnprepared } from './new-files.ts'
import { createProblemTracker } from './problem-tracker.ts'
import { isSameRead, isUntouched } from './untouched.ts'
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
   * paths, only those files are read if that suffices. Returns how many milliseconds the disk has to stay
   * quiet before the scan in which that state counts; undefined if nothing waits. Calls that wait for the
   * same full scan share the scan.
   */
  scan(...paths: string[]): Promise<number | undefined>
  /**
   * Scans the files that wait for the disk to be quiet: reads recently changed files again, or scans the
   * whole disk if these files do not suffice. Returns the same as `scan`.
   */
  scanPending(): Promise<number | undefined>
  /** Whether the resource of a source is served from this source. */
  isServed(source: Source): boolean
  /** Computes the outlines of files, with which saves are parsed quickly; takes as long as parsing the files. */
  computeOutlines(): void
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
  /** The result of the last full scan; if the next has the same, the files are not combined again. */
  let discovered: Discovery | undefined
  let waiting: Promise<number | undefined> | undefined
  const exclusive = createExclusive()
  const problems = createProblemTracker(loaded.diagnostics)
  // Files that changed recently are read again once the disk is quiet: a second save in the same tick of
  // the file system's clock leaves the same stamp.
  const recent = new Set<string>()
  for (const { path, stamp } of loaded.files.values()) if (stamp && isRacy(stamp)) recent.add(path)
  // When a scan last found a change; undefined after a scan has found the disk quiet.
  let changedAt = recent.size > 0 ? performance.now() : undefined
  // Whether the scan after the quiet time has to be a full scan.
  let needsFullScan = false
  const markUnsettled = (): void => {
    changedAt = performance.now()
    needsFullScan = true
  }
  const missing = createMissingFiles(markUnsettled)
  const checkOne = createFileChecks(options.id, (path) => {
    recent.add(path)
    changedAt = performance.now()
  })
  const newFiles = createNewFiles(loaded.files.values())
  const contentCache = createContentCache()
  for (const { path, content } of loaded.files.values()) contentCache.put(path, content)

  const quietTimeLeft = (): number | undefined =>
    changedAt === undefined ? undefined : Math.max(0, changedAt + QUIET - performance.now())

  /** The file as it was read before, if it need not be read again. */
  const findUntouched = ({ path }: FixtureFile, isQuiet: boolean): LoadedFile | undefined => {
    const before = current.files.get(path)
    if (!before || !newFiles.isPrepared(path) || (isQuiet && recent.has(path))) return undefined
    return isUntouched(before) ? before : undefined
  }

  const read = async (file: FixtureFile, isQuiet: boolean): Promise<LoadedFile> => {
    const before = current.files.get(file.path)
    const errors = await newFiles.prepare(file)
    if (errors.length > 0) return toUnprepared(file, errors)
    const now = reuseSources(await readFixture(file, options.id, before), before)
    contentCache.put(file.path, now.content)
    if (isQuiet) computeOutline(now)
    recent.delete(file.path)
    if (before && isSameRead(before, now)) return now
    recent.add(file.path)
    markUnsettled()
    return now
  }

  const scanAll = async (isQuiet = quietTimeLeft() === 0): Promise<number | undefined> => {
    if (isQuiet) {
      changedAt = undefined
      needsFullScan = false
    }
    const found = await discover(paths, options.cwd ?? process.cwd())
    const files = await readAll(
      found.files,
      (file) => findUntouched(file, isQuiet) ?? read(file, isQuiet),
    )
    const retained = missing.findRetained(current.files.values(), found, isQuiet)
    const before = current
    const isSameSet = retained.length === 0 && discovered && isSameDiscovery(found, discovered)
    if (!isSameSet || !files.every((file) => file === before.files.get(file.path))) {
      current = toOwn(await combine(found, [...files, ...retained], before))
      positions = undefined
    }
    discovered = retained.length > 0 ? undefined : found
    const news = problems.update(current.diagnostics, isQuiet && changedAt === undefined)
    if (news.isPending && changedAt === undefined) markUnsettled()
    newFiles.forget(current.files)
    const reported = [...newFiles.takeWarnings(), ...news.reported]
    const change = compare(before, current, { ...news, reported })
    if (change) listener(change)
    return quietTimeLeft()
  }

  const positionOf = ({ file }: Source): number | undefined => {
    positions ??= new Map(current.sources.map((one, at) => [one.file, at]))
    return positions.get(file)
  }

  const isServed = (source: Source): boolean => current.sources[positionOf(source) ?? -1] === source

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

  /**
   * Scans some files, and publishes their changes as one. Returns false if a full scan has to follow. When
   * the disk is quiet, the files are recent ones, which may have changed without a new stamp.
   */
  const scanFiles = async (files: readonly string[], isQuiet: boolean): Promise<boolean> => {
    const changed: LoadedFile[] = []
    const yieldToEvents = createYield()
    let isEnough = true
    for (const path of files) {
      await yieldToEvents()
      const known = current.files.get(path)
      const now = known && checkOne(known, isQuiet)
      if (isQuiet) recent.delete(path)
      if (now) missing.found(path)
      if (now && isSameRead(known, now)) {
        if (isQuiet) computeOutline(now)
      } else if (now) changed.push(now)
      else if (known || current.folders.includes(path) || mayBeFixture(path)) isEnough = false
    }
    if (changed.length === 0) return isEnough
    changedAt = performance.now()
    // Compares only the sources of the changed files: comparing all would take quadratic time for many saves.
    const toPart = (): LoadResult => {
      const sources = changed.flatMap(({ path }) => current.files.get(path)?.sources ?? [])
      return { ...current, sources: sources.filter(isServed) }
    }
    const before = toPart()
    changed.forEach(accept)
    const change = compare(before, toPart(), problems.update(current.diagnostics, false))
    if (change) listener({ ...change, current })
    return isEnough
  }

  const scanAllOnce = (): Promise<number | undefined> => {
    return (waiting ??= exclusive(() => {
      waiting = undefined
      return scanAll()
    }))
  }

  return {
    current: () => current,
    scan(...files) {
      if (files.length === 0) return scanAllOnce()
      const scanned = exclusive(() => scanFiles(files, false))
      return scanned.then((isEnough) => (isEnough ? quietTimeLeft() : scanAllOnce()))
    },
    scanPending: () =>
      exclusive(async () => {
        const rest = quietTimeLeft()
        if (rest !== 0) return rest
        changedAt = undefined
        const isEnough = !needsFullScan && (await scanFiles([...recent], true))
        return isEnough ? quietTimeLeft() : scanAll(true)
      }),
    isServed,
    computeOutlines() {
      for (const file of current.files.values()) computeOutline(file)
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
