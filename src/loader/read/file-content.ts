/**
 * The content of a file when it was read: its bytes or, after the bytes were released from memory, only their
 * SHA-1 digest. The content shows whether a file with a new modification time has changed.
 */
export interface FileContent {
  /** Whether the bytes are equal to the content. */
  matches(bytes: Buffer): boolean
  /** The number of bytes that are kept in memory. */
  readonly size: number
  /** Releases the bytes and keeps their digest. */
  release(): void
}

/** The content of a file whose bytes have been read. */
export function toFileContent(bytes: Buffer): FileContent {
  let kept: Buffer | undefined = bytes
  // Comparing bytes takes a tenth of the time of a digest, which is therefore computed only at the release.
  let hash = ''
  return {
    matches: (other) => (kept ? kept.equals(other) : digest(other) === hash),
    get size() {
      return kept?.length ?? 0
    },
    release() {
      if (kept) hash = digest(kept)
      kept = undefined
    },
  }
}

/** The content of a file that cannot be read. */
export const unreadable: FileContent = { matches: () => false, size: 0, release: () => undefined }

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
 * The SHA-1 digest of a file in base64url. It only detects changes of fixture files and has no security
 * purpose.
 */
export function digest(bytes: Buffer): string {
  // Importing the module would take a tenth of the start, also where no digest is needed.
  return process
    .getBuiltinModule('node:crypto')
    .createHash('sha1')
    .update(bytes)
    .digest('base64url')
}
