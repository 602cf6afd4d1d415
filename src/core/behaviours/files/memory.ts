import type { FileBytes, Upload, UploadStorage } from '../../fixtures/file-folder.ts'
import { MockError } from '../../errors/mock-error.ts'
import type { MockContext } from '../../http/contract/behaviour.ts'
import { isBytes } from '../../http/contract/messages.ts'
import { memoryLimit, openStored } from '../shared/world-state.ts'
import { concatBytes } from '../shared/concat-bytes.ts'

/** The storage of a mock that writes no files: in memory, in the storage of a page, or of a worker. */
export interface MemoryStorage extends UploadStorage {
  readonly files: Map<string, Uint8Array>
  removeUnused(): void
}

/**
 * Creates a storage in memory; a fork starts with the files of its origin, without a copy of their bytes. Once more
 * than 64 MiB were added, the files without a record or an upload are removed; until then, snapshots may have them.
 */
export function createMemoryStorage(
  world: Pick<MockContext, 'stored'>,
  isUsed: (key: string) => boolean,
  origin?: MemoryStorage,
): MemoryStorage {
  const files = openStored<Uint8Array>(world, 'files')
  const uploads = openStored<Upload>(world, 'uploads')
  if (origin) {
    for (const [key, bytes] of origin.files) files.set(key, bytes)
    for (const [key, upload] of origin.uploads) uploads.set(key, upload)
  }
  const limit = memoryLimit(world)
  let added = 0

  function append(key: string, bytes: Uint8Array): void {
    const before = files.get(key)
    const joined = before ? new Uint8Array(before.length + bytes.length) : bytes
    if (before) {
      joined.set(before)
      joined.set(bytes, before.length)
    }
    const total = [...files.values()].reduce((sum, { length }) => sum + length, bytes.length)
    if (world.stored && total > MAX_STORED) {
      throw new MockError(
        `Failed to store a file: this session may store ${MAX_STORED} bytes of files. Please remove some, or reset the session.`,
        { status: 413, code: 'STORAGE_FULL' },
      )
    }
    files.set(key, joined)
    added += bytes.length
    if (added > limit) removeUnused(key)
  }

  /** Removes the bytes that neither a record nor an upload has. */
  function removeUnused(except?: string): void {
    added = 0
    const waiting = [...uploads].flatMap(([name, { reference }]) => [name, reference ?? ''])
    for (const one of files.keys()) {
      if (one === except || isUsed(one) || waiting.some((text) => text.includes(one))) continue
      files.delete(one)
    }
  }

  return {
    files,
    uploads,
    removeUnused,
    append(key, bytes) {
      if (isBytes(bytes)) return append(key, bytes)
      return (async () => {
        const chunks: Uint8Array[] = []
        try {
          for await (const chunk of bytes) chunks.push(chunk)
        } finally {
          // A resumable upload continues after the bytes that have arrived.
          append(key, concatBytes(chunks))
        }
      })()
    },
    bytes(key) {
      const bytes = files.get(key)
      return bytes && toFileBytes(bytes, `"${key}"`, timeOfKey(key))
    },
    remove(key) {
      uploads.delete(key)
      if (!isUsed(key)) files.delete(key)
    },
  }
}

/** The most bytes of files in the storage of a worker's session, which is read whole at the start. */
const MAX_STORED = 32 * 1024 * 1024

/** Bytes in memory as a file. */
export function toFileBytes(bytes: Uint8Array, tag: string, modified?: number): FileBytes {
  return {
    size: bytes.length,
    tag,
    modified,
    async *read(start, end) {
      yield bytes.subarray(start, end)
    },
  }
}

/** Draws an unused key: nine characters for the time in milliseconds, and seven at random. */
export function drawKey(
  { clock, random }: Pick<MockContext, 'clock' | 'random'>,
  storage: UploadStorage,
): string {
  const time = Math.max(0, Math.floor(clock.now())).toString(36).padStart(9, '0').slice(-9)
  const draw = (): string =>
    time +
    Math.floor(random() * 36 ** 7)
      .toString(36)
      .padStart(7, '0')
  let key = draw()
  // A fork draws the same numbers as its origin.
  while (storage.bytes(key) || storage.uploads.has(key)) key = draw()
  return key
}

function timeOfKey(key: string): number {
  return Number.parseInt(key.slice(0, 9), 36)
}
