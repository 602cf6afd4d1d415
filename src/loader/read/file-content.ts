import { digest } from './digest.ts'
import { toOutline, type Outline } from '../text/outline.ts'

/** What a file's bytes were, to tell a changed file from a touched one. */
export interface Imprint {
  /** A text that differs whenever the bytes do. */
  hash(): string
  /** Whether these are the bytes, which are at hand from then on if they are. */
  isOf(bytes: Buffer): boolean
  /** The bytes with the places of what stands in them, where they are JSON and still at hand. */
  text(): Imprinted | undefined
  /** How many bytes are at hand. */
  readonly size: number
  /** Lets go of the bytes; their digest stays. */
  release(): void
}

/** Bytes of JSON, and the places of what stands in them. */
export interface Imprinted {
  bytes: Buffer
  outline: Outline
}

/** The imprint of bytes that are all there. */
export function toImprint(bytes: Buffer, outline?: Outline): Imprint {
  return open(undefined, bytes, outline)
}

/** The imprint of bytes whose digest is known. */
export function fromDigest(hash: string): Imprint {
  return open(hash, undefined)
}

/** The imprint of what cannot be read; no bytes are like it. */
export const unread: Imprint = fromDigest('')

/**
 * Comparing bytes takes a tenth of the time that their digest does, so that it is made only when it is
 * asked for, or the bytes have to go.
 */
function open(hash: string | undefined, bytes: Buffer | undefined, outline?: Outline): Imprint {
  let isOutlined = false
  const toHash = (): string => {
    hash ??= bytes ? digest(bytes) : ''
    return hash
  }
  return {
    hash: toHash,
    isOf(other) {
      if (bytes) return bytes.equals(other)
      if (hash === '' || digest(other) !== hash) return false
      bytes = other
      return true
    },
    text() {
      if (!bytes) return undefined
      if (!isOutlined) outline ??= toOutline(bytes)
      isOutlined = true
      return outline && { bytes, outline }
    },
    get size() {
      return bytes?.length ?? 0
    },
    release() {
      toHash()
      bytes = undefined
      outline = undefined
      isOutlined = false
    },
  }
}

/** Lets the imprints of the files that were read last have their bytes. */
export interface Shelf {
  put(path: string, imprint: Imprint): void
}

/** Makes a shelf that holds so many bytes in all, and no file of more than half of that. */
export function createShelf(limit: number = 16 * 1024 * 1024): Shelf {
  const held = new Map<string, { imprint: Imprint; size: number }>()
  let total = 0
  const take = (path: string): Imprint | undefined => {
    const found = held.get(path)
    held.delete(path)
    total -= found?.size ?? 0
    return found?.imprint
  }
  return {
    put(path, imprint) {
      take(path)
      const { size } = imprint
      if (size > limit / 2) return imprint.release()
      held.set(path, { imprint, size })
      total += size
      for (const [oldest] of held) {
        if (total <= limit) return
        take(oldest)?.release()
      }
    },
  }
}
