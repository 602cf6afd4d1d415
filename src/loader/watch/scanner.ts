import { stat } from 'node:fs/promises'
import { sep } from 'node:path'
import { discover, type Discovery, type FixtureFile } from '../discover/discover.ts'
import { createShelf } from '../read/file-content.ts'
import { combine, readAll, type LoadOptions, type LoadResult } from '../load.ts'
import { readFixture, type LoadedFile } from '../read/read-file.ts'
import { isRacy, isSameStamp, toStamp, type Stamp } from '../read/stamp.ts'
import { compare, createReports, keepSame, type FixtureChange } from './change.ts'
import { glance, prepare } from './check-file.ts'

/** Compares what was read with what is on the disk, and hands over the difference. */
export interface Scanner {
  /** Everything as it stands now; where a file is broken, as it last stood. */
  current(): LoadResult
  /**
   * Looks at the disk once, after all looks before it. Changed files are read at once; what may be half
   * a save (a file that is broken or gone) counts only when no look has seen anything move for 150 ms.
   * A look for the sake of one path is content with that file where it can be. Gives how long the disk has to
   * stay quiet for the next look to be the one that counts, in ms; undefined where nothing waits for it.
   */
  look(path?: string): Promise<number | undefined>
  /** Gets ready for saves to come, which takes as long as parsing the files, once. */
  prepare(): void
  /** Runs something while no look is under way. A look inside it would wait for ever. */
  exclusive<T>(run: () => T | Promise<T>): Promise<T>
  /** Takes over what the program itself has written, so that no look takes it for a change. */
  accept(file: LoadedFile): void
}

/**
 * Makes a scanner that starts from what was loaded. The listener is called at the end of a look, before
 * the next one begins.
 */
export function createScanner(
  paths: readonly string[],
  loaded: LoadResult,
  listener: (change: FixtureChange) => void,
  options: LoadOptions = {},
): Scanner {
  let current = loaded
  let queue: Promise<unknown> = Promise.resolve()
  const reports = createReports(loaded.diagnostics)
  // Files read while the disk was busy: another save in the same tick of its clock leaves no trace in
  // the stamp, and only the content tells.
  const fresh = new Set<string>()
  for (const { path, stamp } of loaded.files.values()) if (stamp && isRacy(stamp)) fresh.add(path)
  // When something moved last; undefined once a look has found the disk quiet since then.
  let movedAt = fresh.size > 0 ? performance.now() : undefined
  const missing = new Set<string>()
  // What a glance took for half a save last.
  const halves = new Map<string, Stamp>()
  const shelf = createShelf()
  for (const { path, imprint } of loaded.files.values()) shelf.put(path, imprint)

  const exclusive = <T>(run: () => T | Promise<T>): Promise<T> => {
    const result = queue.then(run)
    queue = result.catch(() => undefined)
    return result
  }

  const rest = (): number | undefined =>
    movedAt === undefined ? undefined : Math.max(0, movedAt + QUIET - performance.now())

  const read = async (file: FixtureFile, isSettled: boolean): Promise<LoadedFile> => {
    const before = current.files.get(file.path)
    const isSure = !fresh.has(file.path)
    if (before && (isSure || !isSettled) && (await isUntouched(before))) return before
    const now = keepSame(await readFixture(file, options.id, before), before)
    shelf.put(file.path, now.imprint)
    if (isSettled) prepare(now)
    fresh.delete(file.path)
    if (before && isSameRead(before, now)) return now
    fresh.add(file.path)
    movedAt = performance.now()
    return now
  }

  /** Files that were there and are not found now stay until the disk is quiet: they may be half a save. */
  const keepMissing = (found: Discovery, isSettled: boolean): LoadedFile[] => {
    const isFound = new Set(found.files.map((file) => file.path))
    for (const path of missing) if (isFound.has(path)) missing.delete(path)
    const gone = [...current.files.values()].filter((file) => !isFound.has(file.path))
    return gone.filter(({ path }) => {
      if (found.unknown.some((folder) => path === folder || path.startsWith(folder + sep)))
        return true
      if (isSettled && missing.delete(path)) return false
      if (!missing.has(path)) movedAt = performance.now()
      missing.add(path)
      return true
    })
  }

  const look = async (): Promise<number | undefined> => {
    const isSettled = rest() === 0
    if (isSettled) movedAt = undefined
    const found = await discover(paths, options.cwd ?? process.cwd())
    const seen = await readAll(found.files, (file) => read(file, isSettled))
    const kept = keepMissing(found, isSettled)
    const before = current
    current = await combine(found, [...seen, ...kept], before)
    const news = reports.update(current.diagnostics, isSettled && movedAt === undefined)
    if (news.isOpen) movedAt ??= performance.now()
    const change = compare(before, current, news)
    if (change) listener(change)
    return rest()
  }

  const accept = (file: LoadedFile): void => {
    const own = new Map(file.sources.map((source) => [source.source, source]))
    const sources = current.sources.map((source) => own.get(source.source) ?? source)
    const files = new Map(current.files).set(file.path, file)
    const known = current.files.get(file.path)?.diagnostics ?? []
    const mended = known.filter((one) => !file.diagnostics.includes(one))
    const diagnostics = current.diagnostics.filter((one) => !mended.includes(one))
    current = { ...current, sources, diagnostics, files }
    shelf.put(file.path, file.imprint)
    fresh.add(file.path)
    // It has to be looked at again, but does not disturb the quiet that others wait for.
    movedAt ??= performance.now()
  }

  /** Whether a look at one file can tell all there is. */
  const lookAt = (path: string): boolean => {
    const before = current
    const known = before.files.get(path)
    const half = halves.get(path)
    const seen = known && glance(known, options.id, half)
    if (!known || !seen) return false
    missing.delete(path)
    if ('half' in seen) {
      halves.set(path, seen.half)
      if (seen.half !== half) movedAt = performance.now()
      return true
    }
    if (seen.file === known) return true
    movedAt = performance.now()
    accept(seen.file)
    const change = compare(before, current, reports.update(current.diagnostics, false))
    if (change) listener(change)
    return true
  }

  return {
    current: () => current,
    look: (path) => exclusive(() => (path !== undefined && lookAt(path) ? rest() : look())),
    prepare() {
      for (const file of current.files.values()) prepare(file)
    },
    exclusive,
    accept,
  }
}

/** In ms. */
const QUIET = 150

async function isUntouched(file: LoadedFile): Promise<boolean> {
  try {
    return file.stamp !== undefined && isSameStamp(file.stamp, toStamp(await stat(file.path)))
  } catch {
    return false
  }
}

function isSameRead(before: LoadedFile, now: LoadedFile): boolean {
  if (!before.stamp || !now.stamp) return before.stamp === now.stamp
  return before.imprint === now.imprint && isSameStamp(before.stamp, now.stamp)
}
