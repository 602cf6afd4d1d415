/** Escapes a key as a token of a JSON Pointer (RFC 6901 §3): `~` becomes `~0`, and `/` becomes `~1`. */
export function toToken(key: string | number): string {
  return String(key).replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Writes a list of keys as a JSON Pointer (RFC 6901 §3): `/author/name`. */
export function toPointer(path: readonly (string | number)[]): string {
  return path.map((key) => `/${toToken(key)}`).join('')
}

/** Unescapes a token of a JSON Pointer to the key (RFC 6901 §4). */
export function fromToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~')
}
