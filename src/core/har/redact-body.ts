import { redacted, type Redactor } from '../log/redact.ts'

/** Redacts the secrets in a body by its type: in JSON, also cut off, and in forms. Returns other texts as is. */
export function redactText(text: string, type: string, redactor: Redactor): string {
  if (type.includes('urlencoded')) return redactor.redactUrl(`?${text}`).slice(1)
  return isJsonText(text, type) ? redactJson(text, redactor) : text
}

/** Whether a text is JSON by its media type or, under another type, by its first character. */
export function isJsonText(text: string, type: string): boolean {
  return type === '' || type.includes('json') || /^\s*[[{]/.test(text)
}

/**
 * Replaces secrets in a JSON text, which may be cut off, and in URLs in its strings; every other character
 * stays, so that a HAR shows the body as it was sent. In a step of a JSON Patch (RFC 6902), `path` names the
 * field of `value`. Takes linear time.
 */
export function redactJson(text: string, { isSecret, redactUrl }: Redactor): string {
  const edits: Edit[] = []
  const open: OpenObject[] = []

  function close(object: OpenObject | undefined, offset: number): void {
    const { path, valueStart, valueEnd = offset } = object ?? {}
    if (path === undefined || valueStart === undefined || !isSecret(path)) return
    edits.push([valueStart, trimEnd(text, valueStart, valueEnd), replacement])
  }

  /** Reads the key of a member and, if the value is a secret, the value. Returns the end of what it read. */
  function readMember(keyStart: number, keyEnd: number, valueStart: number): number {
    const object = open.at(-1)
    const key = toKey(text.slice(keyStart, keyEnd))
    if (object?.valueStart !== undefined) object.valueEnd ??= keyStart
    if (isSecret(key)) {
      const end = endOfValue(text, valueStart)
      edits.push([valueStart, end, replacement])
      return end
    }
    if (object && key === 'value') object.valueStart ??= valueStart
    if (object && key === 'path' && text[valueStart] === '"') {
      object.path = text.slice(valueStart, endOfString(text, valueStart))
    }
    return valueStart
  }

  /** Reads a key or a string value. Returns the end of what it read. */
  function readString(start: number): number {
    const end = endOfString(text, start)
    const next = find(text, /\S/g, end)
    if (text[next] === ':') return readMember(start, end, find(text, /\S/g, next + 1))
    const token = text.slice(start, end)
    const shown = token.includes('?') ? redactUrl(token) : token
    // A parameter at the end of the string includes the quotation mark.
    if (shown !== token) edits.push([start, end, shown.replace(/"?$/, '"')])
    return end
  }

  const mark = /["{}]/g
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    const offset = found.index
    if (found[0] === '"') mark.lastIndex = readString(offset)
    else if (found[0] === '{') open.push({})
    else close(open.pop(), offset)
  }
  for (const object of open) close(object, text.length)
  return applyEdits(text, edits)
}

/** The JSON text that replaces the value of a secret. */
const replacement = `"${redacted}"`

/** A range of the text, and the text that replaces it. */
type Edit = readonly [start: number, end: number, replacement: string]

/** An object whose `}` is not reached yet; `path` and `value` are the members of a step of a JSON Patch. */
interface OpenObject {
  /** The string token of `path`, which names a field. */
  path?: string
  valueStart?: number
  valueEnd?: number
}

/** Returns the key of a string token; a malformed token as it is. */
function toKey(token: string): string {
  if (!token.includes('\\')) return token.slice(1, -1)
  try {
    return JSON.parse(token) as string
  } catch {
    return token
  }
}

/** Returns the end of the string token at a position; the end of the text for a string without an end. */
function endOfString(text: string, start: number): number {
  let end = start
  let escapes: number
  do {
    end = text.indexOf('"', end + 1)
    if (end < 0) return text.length
    escapes = 0
    while (text[end - 1 - escapes] === '\\') escapes++
  } while (escapes % 2 === 1)
  return end + 1
}

/** Returns the end of the value at a position: a string, an object, an array, or another token. */
function endOfValue(text: string, start: number): number {
  const first = text[start]
  if (first === '"') return endOfString(text, start)
  if (first !== '{' && first !== '[') return trimEnd(text, start, find(text, /[,\]}]/g, start))
  let depth = 0
  let offset = start
  do {
    offset = find(text, /["[\]{}]/g, offset)
    const char = text[offset]
    if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') depth--
    offset = char === '"' ? endOfString(text, offset) : offset + 1
  } while (depth > 0 && offset < text.length)
  return Math.min(offset, text.length)
}

/** Returns the end of a range without the spaces and commas at its end. */
function trimEnd(text: string, start: number, end: number): number {
  let offset = end
  while (offset > start && /[\s,]/.test(text[offset - 1] ?? '')) offset--
  return offset
}

/** The position of the first match from `start` on; the end of the text without a match. */
function find(text: string, pattern: RegExp, start: number): number {
  pattern.lastIndex = start
  return pattern.exec(text)?.index ?? text.length
}

/** Replaces ranges of a text; a range inside of another range is left out. */
function applyEdits(text: string, edits: readonly Edit[]): string {
  let written = ''
  let offset = 0
  for (const [start, end, replacement] of edits.toSorted(([a], [b]) => a - b)) {
    if (start < offset) continue
    written += text.slice(offset, start) + replacement
    offset = end
  }
  return written + text.slice(offset)
}
