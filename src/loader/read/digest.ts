import type { Hash } from 'node:crypto'

/** Begins a digest that differs whenever the bytes do. */
export function createDigest(): Hash {
  // An import takes a tenth of a start that needs no digest.
  return process.getBuiltinModule('node:crypto').createHash('sha1')
}

/** The digest of bytes that are all there. */
export function digest(bytes: Buffer): string {
  return toDigestText(createDigest().update(bytes))
}

/** A finished digest as text. */
export function toDigestText(hash: Hash): string {
  return hash.digest('base64url')
}
