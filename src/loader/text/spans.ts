import { loadJson5 } from './parse.ts'

/** The offsets of a value and its key in a JSON or JSON5 text, in UTF-16 code units. */
export interface Span {
  start: number
  /** The offset after the last character. */
  end: number
  /** The decoded key of an object's member, or the index of an array's element. */
  key: string | number
  /** The offset of the key; the same as `start` for an element of an array. */
  keyStart: number
}

/**
 * Finds the root value. The functions of this file expect valid JSON or JSON5, which they skip without
 * building values, and end on any text, as a file may change before it is read again.
 */
export function rootSpan(text: string): Span {
  const start = skipSpace(text, 0)
  return { start, end: skipValue(text, start), key: '', keyStart: start }
}

/** Finds the first members or elements of the object or array at an offset. A scalar has no children. */
export function childSpans(text: string, at: number, limit: number = Infinity): Span[] {
  const open = text[at]
  if (open !== '{' && open !== '[') return []
  const spans: Span[] = []
  let i = skipSpace(text, at + 1)
  while (i < text.length && text[i] !== '}' && text[i] !== ']' && spans.length < limit) {
    const keyStart = i
    let key: string | number = spans.length
    if (open === '{') {
      i = skipKey(text, i)
      key = decodeKey(text.slice(keyStart, i))
      i = skipSpace(text, skipSpace(text, i) + 1)
    }
    const end = skipValue(text, i)
    spans.push({ start: i, end, key, keyStart })
    i = skipSpace(text, Math.max(end, keyStart + 1))
    if (text[i] === ',') i = skipSpace(text, i + 1)
  }
  return spans
}

/** Creates the search for the value at a path, or its nearest parent; caches the values on each path. */
export function createLocator(text: string): (path: readonly (string | number)[]) => Span {
  const cache = new Map<number, Map<string | number, Span>>()
  const childrenAt = (at: number): Map<string | number, Span> => {
    // Like JSON.parse, the map keeps the last of several members with the same key.
    const children =
      cache.get(at) ?? new Map(childSpans(text, at).map((child) => [child.key, child]))
    cache.set(at, children)
    return children
  }
  const root = rootSpan(text)
  return (path) => {
    let span = root
    for (const key of path) {
      const found = childrenAt(span.start).get(key)
      if (!found) return span
      span = found
    }
    return span
  }
}

/** The offset of the next character outside white space and comments. */
export function skipSpace(text: string, from: number): number {
  let i = from
  for (;;) {
    const code = text.charCodeAt(i)
    if (code === 32 || code === 10 || code === 13 || code === 9) i++
    else if (code === SLASH && text[i + 1] === '/') i = lineEnd(text, i)
    else if (code === SLASH && text[i + 1] === '*') i = after(text, '*/', i + 2)
    else if (code === 11 || code === 12 || (code > 127 && /\s/.test(text[i] ?? ''))) i++
    else return i
  }
}

const SLASH = 47

function skipKey(text: string, at: number): number {
  if (isQuote(text[at])) return skipString(text, at)
  let i = at
  while (i < text.length && text[i] !== ':' && text[i] !== '/' && !/\s/.test(text[i] ?? '')) i++
  return i
}

function decodeKey(raw: string): string {
  if (raw.startsWith('"') && !raw.includes('\\')) return raw.slice(1, -1)
  if (/^[\w$]+$/.test(raw)) return raw
  try {
    return Object.keys(loadJson5().parse<Record<string, unknown>>(`{${raw}:0}`))[0] ?? raw
  } catch {
    return raw
  }
}

function skipValue(text: string, at: number): number {
  const first = text[at]
  if (isQuote(first)) return skipString(text, at)
  if (first !== '{' && first !== '[') return skipScalar(text, at)
  let depth = 0
  let i = at
  while (i < text.length) {
    const code = text.charCodeAt(i)
    if (code === 34 || code === 39) {
      i = skipString(text, i)
      continue
    }
    if (code === SLASH) {
      const next = skipSpace(text, i)
      i = next === i ? i + 1 : next
      continue
    }
    i++
    if (code === 123 || code === 91) depth++
    else if (code === 125 || code === 93) {
      depth--
      if (depth === 0) return i
    }
  }
  return i
}

function skipScalar(text: string, at: number): number {
  let i = at
  while (i < text.length && !/[\s,\]}/]/.test(text[i] ?? '')) i++
  return i
}

/** The offset after the string that begins at an offset. */
export function skipString(text: string, at: number): number {
  const quote = text[at] ?? '"'
  let i = at + 1
  for (;;) {
    const end = text.indexOf(quote, i)
    if (end < 0) return text.length
    let backslashes = 0
    while (text[end - 1 - backslashes] === '\\') backslashes++
    i = end + 1
    if (backslashes % 2 === 0) return i
  }
}

function isQuote(char: string | undefined): boolean {
  return char === '"' || char === "'"
}

function lineEnd(text: string, at: number): number {
  let i = at
  while (i < text.length && !/[\n\r\u2028\u2029]/.test(text[i] ?? '')) i++
  return i
}

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  return at < 0 ? text.length : at + mark.length
}
