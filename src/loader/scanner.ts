import { stat } from 'node:fs/promises'
import { sep } from 'node:path'
import { assemble } from './assemble.ts'
import { compare, createReports, keepSame, type FixtureChange } from './change.ts'
import { discover, type Discovery, type FixtureFile } from './discover.ts'
import { glance, prepare } from './glance.ts'
import { createShelf } from './imprint.ts'
import { readAll, type LoadOptions, type LoadResult } from './load.ts'
import { readFixture, type LoadedFile } from './read-file.ts'
import { isRacy, isSameStamp, toStamp, type Stamp } from './stamp.ts'

/** What a look at the disk found out. */
interface Look {
  /** Whether something has moved since the look before. */
  hasMoved: boolean
  /** Whether something has to be looked at again once the disk is quiet. */
  isOpen: boolean
}

/** Compares what was read with what is on the disk, and hands over the difference. */
export interface Scanner {
  /** Everything as it stands now; where a file is broken, as it last stood. */
  current(): LoadResult
  /**
   * Looks at the disk once, after all looks before it. Changed files are read at once; what may be half
   * a save (a file that is broken or gone) counts only on a settled look, when nothing has moved since.
   * A look for the sake of one path is content with that file where it can be.
   */
  look(isSettled: boolean, path?: string): Promise<Look>
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
  const missing = new Set<string>()
  // What a glance took for half a save.
  const halves = new Map<string, Stamp>()
  const shelf = createShelf()
  for (const { path, imprint } of loaded.files.values()) shelf.put(path, imprint)

  const exclusive = <T>(run: () => T | Promise<T>): Promise<T> => {
    const result = queue.then(run)
    queue = result.catch(() => undefined)
    return result
  }

  const read = async (file: FixtureFile, isSettled: boolean, look: Look): Promise<LoadedFile> => {
    const before = current.files.get(file.path)
    const isSure = !fresh.has(file.path)
    if (before && (isSure || !isSettled) && (await isUntouched(before))) {
      look.isOpen ||= !isSure
      return before
    }
    halves.delete(file.path)
    const next = await readFixture(file, options.id, before)
    const now = next.imprint === before?.imprint ? next : keepSame(next, before)
    shelf.put(file.path, now.imprint)
    if (isSettled) prepare(now)
    fresh.delete(file.path)
    if (before && isSameRead(before, now)) return now
    fresh.add(file.path)
    look.hasMoved = true
    return now
  }

  /** Files that were there and are not found now stay until the disk is quiet: they may be half a save. */
  const keepMissing = (found: Discovery, isSettled: boolean, look: Look): LoadedFile[] => {
    const isFound = new Set(found.files.map((file) => file.path))
    for (const path of missing) if (isFound.has(path)) missing.delete(path)
    const gone = [...current.files.values()].filter((file) => !isFound.has(file.path))
    return gone.filter(({ path }) => {
      if (found.unknown.some((folder) => path === folder || path.startsWith(folder + sep)))
        return true
      if (isSettled && missing.delete(path)) return false
      if (missing.has(path)) look.isOpen = true
      else look.hasMoved = true
      missing.add(path)
      return true
    })
  }

  const look = async (isSettled: boolean): Promise<Look> => {
    const result: Look = { hasMoved: false, isOpen: false }
    const found = await discover(paths, options.cwd ?? process.cwd())
    const seen = await readAll(found.files, (file) => read(file, isSettled, result))
    const kept = keepMissing(found, isSettled, result)
    const files = new Map([...seen, ...kept].map((file) => [file.path, file]))
    const assembled = await assemble(files.values(), current)
    const ofFiles = [...files.values()].flatMap((file) => file.diagnostics)
    const diagnostics = [...found.diagnostics, ...ofFiles, ...assembled.diagnostics]
    const before = current
    current = { ...assembled, diagnostics, files, passedOver: found.passedOver }
    const news = reports.update(diagnostics, isSettled && !result.hasMoved)
    if (news.isOpen) result.isOpen = true
    const change = compare(before, current, news)
    if (change) listener(change)
    return result
  }

  const accept = (file: LoadedFile): void => {
    const own = new Map(file.sources.map((source) => [source.source, source]))
    const sources = current.sources.map((source) => own.get(source.source) ?? source)
    const files = new Map(current.files).set(file.path, file)
    const mended = new Set(current.files.get(file.path)?.diagnostics)
    for (const diagnostic of file.diagnostics) mended.delete(diagnostic)
    const diagnostics = current.diagnostics.filter((diagnostic) => !mended.has(diagnostic))
    current = { ...current, sources, diagnostics, files }
    shelf.put(file.path, file.imprint)
    fresh.add(file.path)
  }

  /** Undefined where only a whole look can tell. */
  const lookAt = (path: string): Look | undefined => {
    const before = current
    const known = before.files.get(path)
    const half = halves.get(path)
    const seen = known && glance(known, options.id, half)
    if (!known || !seen) return undefined
    missing.delete(path)
    if ('half' in seen) {
      halves.set(path, seen.half)
      return { hasMoved: seen.half !== half, isOpen: true }
    }
    halves.delete(path)
    if (seen.file === known) return { hasMoved: false, isOpen: fresh.has(path) }
    accept(seen.file)
    const news = reports.update(current.diagnostics, false)
    const change = compare(before, current, news)
    if (change) listener(change)
    return { hasMoved: true, isOpen: news.isOpen }
  }

  return {
    current: () => current,
    look: (isSettled, path) =>
      exclusive(() => (path === undefined ? undefined : lookAt(path)) ?? look(isSettled)),
    prepare() {
      for (const file of current.files.values()) prepare(file)
    },
    exclusive,
    accept,
  }
}

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
