import type { Hash } from 'node:crypto'

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
