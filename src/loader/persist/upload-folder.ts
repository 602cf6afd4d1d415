import {
  appendFileSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers'
import { isError } from '../../core/fixtures/source.ts'
import type { Upload, UploadStorage } from '../../core/fixtures/file-folder.ts'
import { createFileIndex } from '../watch/file-index.ts'
import { openBytes } from '../watch/file-folder.ts'
import type { Scanner } from '../watch/scanner.ts'
import { ensureFolder, statePathsOf } from './state-folder.ts'

/**
 * Creates the storage of uploads beside the fixtures: in the state folder until a record has them, then in `_files`.
 * Bytes are on the disk before a request is answered. `settled` resolves when the journals have all writes.
 */
export function createUploadFolder(
  scanner: Scanner,
  acquire: () => void,
  settled: () => Promise<unknown> | undefined,
): UploadStorage & { close(): void } {
  const fileOf = createFileIndex(scanner)
  const [first] = scanner.current().files.keys()
  const state = statePathsOf(first === undefined ? join(process.cwd(), 'x') : realpathSync(first))
  const folder = join(state.folder, 'files')
  /** The files that no record has any longer, and that are not moved yet. */
  const leaving = new Map<string, string>()

  const pathOf = (key: string): string => join(folder, key)
  const uploads = openUploads()
  const placeOf = (resource: string, path: string): string | undefined => {
    const file = fileOf(resource)
    return file && join(dirname(file.path), path)
  }
  const isUploaded = (key: string): boolean =>
    uploads.has(key) || [...uploads.values()].some(({ reference }) => reference?.includes(key))

  function prepare(): void {
    acquire()
    ensureFolder(state.folder)
    ensureFolder(folder)
  }

  /** Opens the uploads of earlier processes, and removes bytes that belong to none. */
  function openUploads(): Map<string, Upload> {
    const states = listNames(folder).filter((name) => name.endsWith('.json'))
    const known = states.map((name) => name.slice(0, -5))
    const map = new Map(
      known.map((key) => [key, JSON.parse(readFileSync(`${pathOf(key)}.json`, 'utf8')) as Upload]),
    )
    return Object.assign(map, {
      set(key: string, upload: Upload) {
        prepare()
        writeFileSync(`${pathOf(key)}.next`, JSON.stringify(upload))
        renameSync(`${pathOf(key)}.next`, `${pathOf(key)}.json`)
        return Map.prototype.set.call(map, key, upload)
      },
      delete(key: string) {
        rmSync(`${pathOf(key)}.json`, { force: true })
        return Map.prototype.delete.call(map, key)
      },
    })
  }

  function removeUnused(): void {
    for (const name of listNames(folder)) {
      if (!name.endsWith('.json') && !isUploaded(name)) rmSync(pathOf(name), { force: true })
    }
  }

  /** Removes files that no record has, as of a process that was killed before it wrote the record. */
  function removeOrphans(): void {
    const { files, sources, diagnostics } = scanner.current()
    // The records of a broken fixture are not known.
    if (diagnostics.some(isError)) return
    const own = [...files.values()].filter(({ scenario }) => scenario === undefined)
    let text: string | undefined
    for (const place of new Set(own.map(({ path }) => join(dirname(path), '_files')))) {
      for (const name of listNames(place)) {
        const [key] = /^[\da-z]{16}-/.exec(name) ?? []
        text ??= JSON.stringify(sources.map(({ value }) => value))
        if (key !== undefined && !text.includes(`/${key}`)) rmSync(join(place, name))
      }
    }
  }

  /** Moves files that no record has out of `_files`, where snapshots still find them. */
  function moveLeaving(): void {
    for (const [key, place] of leaving) {
      if (existsSync(place)) {
        prepare()
        renameSync(place, pathOf(key))
      }
      removeFolder(dirname(place))
    }
    leaving.clear()
  }

  removeOrphans()
  removeUnused()
  return {
    uploads,
    append(key, bytes) {
      prepare()
      if (ArrayBuffer.isView(bytes)) return appendFileSync(pathOf(key), bytes)
      return (async () => {
        const handle = await open(pathOf(key), 'a')
        try {
          for await (const chunk of bytes) await handle.appendFile(chunk)
        } finally {
          await handle.close()
        }
      })()
    },
    bytes: (key) => openBytes(pathOf(key)),
    remove(key) {
      uploads.delete(key)
      if (!isUploaded(key)) rmSync(pathOf(key), { force: true })
    },
    attach(key, resource, path) {
      leaving.delete(key)
      const place = placeOf(resource, path)
      if (place === undefined || existsSync(place) || !existsSync(pathOf(key))) return
      mkdirSync(dirname(place), { recursive: true })
      link(pathOf(key), place)
      if (!isUploaded(key)) rmSync(pathOf(key), { force: true })
    },
    detach(key, resource, path) {
      const place = placeOf(resource, path)
      if (place === undefined) return
      leaving.set(key, place)
      // The journal has to know first that the record has gone.
      setImmediate(() => void Promise.resolve(settled()).then(moveLeaving))
    },
    close() {
      moveLeaving()
      removeUnused()
      removeFolder(folder)
      removeFolder(state.folder)
    },
  }
}

function listNames(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}

/** Puts a file at a second place, as a whole. */
function link(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch {
    // Some file systems have no links.
    const next = join(dirname(from), 'copy.next')
    copyFileSync(from, next)
    renameSync(next, to)
  }
}

/** Removes a folder if it is empty. */
function removeFolder(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // It has files, or is gone.
  }
}
