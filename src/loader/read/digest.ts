import type { Hash } from 'node:crypto'

/** Creates a hash for bytes that arrive in chunks. SHA-1 detects changes here; it protects nothing. */
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
