import { fromToken } from './pointer.ts'

/** Resolves a reference within a document, such as `#/$defs/user`; undefined for none, and for another document. */
export function resolveLocal(reference: string, root: unknown): unknown {
  const [, pointer] = /^#((?:\/.*)?)$/s.exec(reference) ?? []
  if (pointer === undefined) return undefined
  let found: unknown = root
  for (const token of pointer.split('/').slice(1)) {
    if (typeof found !== 'object' || found === null) return undefined
    found = (found as Record<string, unknown>)[fromToken(decode(token))]
  }
  return found
}

function decode(token: string): string {
  try {
    return decodeURIComponent(token)
  } catch {
    return token
  }
}
