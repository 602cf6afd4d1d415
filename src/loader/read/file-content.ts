import type { Hash } from 'node:crypto'

/**
 * The content of a file when it was read: its bytes or, after the bytes were released from memory, only their
 * SHA-1 digest. The content shows whether a file with a new modification time has changed.
 */
export interface FileContent {
  /** The digest of the bytes. */
  hash(): string
  /** Whether the bytes are equal to the content. Equal bytes replace bytes that were released. */
  matches(bytes: Buffer): boolean
  /** The number of bytes that are kept in memory. */
  readonly size: number
  /** Releases the bytes and keeps their digest. */
  release(): void
}

/** The content of a file whose bytes have been read. */
export function toFileContent(bytes: Buffer): FileContent {
  return createFileContent(undefined, bytes)
}

/** The content of a file of which only the digest is known. */
export function fromDigest(hash: string): FileContent {
  return createFileContent(hash, undefined)
}

/** The content of a file that cannot be read. No bytes match it. */
export const unreadable: FileContent = fromDigest('')

/**
 * Comparing bytes takes a tenth of the time of a digest. The digest is therefore computed only when
 * `hash` is called or the bytes are released.
 */
function createFileContent(hash: string | undefined, bytes: Buffer | undefined): FileContent {
  const toHash = (): string => {
    hash ??= bytes ? digest(bytes) : ''
    return hash
  }
  return {
    hash: toHash,
    matches(other) {
      if (bytes) return bytes.equals(other)
      if (hash === '' || digest(other) !== hash) return false
      bytes = other
      return true
    },
    get size() {
      return bytes?.length ?? 0
    },
    release() {
      toHash()
      bytes = undefined
    },
  }
}

/** Limits the memory for the bytes of files: releases the content that was put in first. */
export interface ContentCache {
  put(path: string, content: FileContent): void
}

/**
 * Creates a cache that keeps at most `limit` bytes in total. The content of a file larger than half the
 * limit is released at once.
 */
export function createContentCache(limit: number = 16 * 1024 * 1024): ContentCache {
  const entries = new Map<string, { content: FileContent; size: number }>()
  let total = 0
  const remove = (path: string): FileContent | undefined => {
    const entry = entries.get(path)
    entries.delete(path)
    total -= entry?.size ?? 0
    return entry?.content
  }
  return {
    put(path, content) {
      remove(path)
      const { size } = content
      if (size > limit / 2) return content.release()
      entries.set(path, { content, size })
      total += size
      for (const [oldest] of entries) {
        if (total <= limit) return
        remove(oldest)?.release()
      }
    },
  }
}

/**
 * Creates a SHA-1 hash, to which the bytes of a file are added in chunks. The digest only detects changes of
 * fixture files; it has no security purpose.
 */
export function createDigest(): Hash {
  // Importing the module would take a tenth of the start, also where no digest is needed.
  return process.getBuiltinModule('node:crypto').createHash('sha1')
}

/** The digest of a whole file, in base64url. */
export function digest(bytes: Buffer): string {
  return toDigestText(createDigest().update(bytes))
}

/** Ends a hash and returns the digest in base64url. */
export function toDigestText(hash: Hash): string {
  return hash.digest('base64url')
}
