/**
 * Finds the first syntax error of a JSON text; returns undefined if the text is valid (RFC 8259). Error
 * messages need this function because the messages of `JSON.parse` differ between JavaScript engines and their
 * releases, and many have no offset. `subject` names the text: `file` or `body`.
 */
export function findJsonError(text: string, subject: string): JsonError | undefined {
  const open: string[] = []
  let expected: Expected = 'value'
  let i = 0
  for (;;) {
    i = skipWhite(text, i)
    const char = text[i]
    const isEnd = char === undefined
    if (expected === 'end' && isEnd) return undefined
    if (!isEnd && char === open.at(-1) && (expected === 'comma' || expected.startsWith('first'))) {
      open.pop()
      i++
      expected = open.length > 0 ? 'comma' : 'end'
    } else if (expected === 'comma' && char === ',') {
      i++
      expected = open.at(-1) === '}' ? 'key' : 'value'
    } else if (expected === 'colon' && char === ':') {
      i++
      expected = 'value'
    } else if (expected.endsWith('value') && (char === '{' || char === '[')) {
      open.push(char === '{' ? '}' : ']')
      i++
      expected = char === '{' ? 'first key' : 'first value'
    } else {
      const isKey = expected.endsWith('key')
      const token = isKey || expected.endsWith('value') ? readToken(text, i, isKey) : undefined
      if (typeof token !== 'number') {
        const { at, fault, problem } = token ?? describe(text, i, expected, open, subject)
        return { offset: at, problem, fault, char: text[at], close: open.at(-1) ?? '}' }
      }
      i = token
      expected = isKey ? 'colon' : open.length > 0 ? 'comma' : 'end'
    }
  }
}

/** A syntax error: its offset in UTF-16 code units, the problem in words, and the facts that decide the advice. */
export interface JsonError {
  offset: number
  problem: string
  fault: JsonErrorKind
  /** The character at the offset; undefined at the end of the text. */
  char: string | undefined
  /** The bracket that closes the innermost open array or object. */
  close: string
}

/** The kind of an error: the token that the grammar expects, or a fault inside a string. */
export type JsonErrorKind = Expected | 'empty' | 'quote' | 'control' | 'escape'

type Expected = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma' | 'end'

const WORDS: Record<Exclude<Expected, 'comma'>, string> = {
  value: 'a value',
  'first value': 'a value or "]"',
  key: 'a key in double quotes',
  'first key': 'a key in double quotes or "}"',
  colon: '":" after the key',
  end: 'the end of the ',
}

interface Found {
  at: number
  fault: JsonErrorKind
  problem: string
}

function describe(
  text: string,
  at: number,
  expected: Expected,
  open: readonly string[],
  subject: string,
): Found {
  const code = text.codePointAt(at)
  if (code === undefined && text.trim() === '') {
    return { at, fault: 'empty', problem: `the ${subject} is empty` }
  }
  const words = expected === 'comma' ? `"," or "${open.at(-1)}"` : WORDS[expected]
  const wanted = expected === 'end' ? words + subject : words
  const found =
    code === undefined
      ? `but the ${subject} ends`
      : `found ${JSON.stringify(String.fromCodePoint(code))}`
  return { at, fault: expected, problem: `expected ${wanted}, ${found}` }
}

function skipWhite(text: string, from: number): number {
  let i = from
  while (text[i] === ' ' || text[i] === '\n' || text[i] === '\r' || text[i] === '\t') i++
  return i
}

/** Returns the end of a key or a scalar; undefined if there is neither. */
function readToken(text: string, at: number, isKey: boolean): number | Found | undefined {
  if (text[at] === '"') return readString(text, at)
  SCALAR.lastIndex = at
  const match = isKey ? undefined : SCALAR.exec(text)
  return match ? at + match[0].length : undefined
}

const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y

/** Returns the end of a string, or the error in it. */
function readString(text: string, start: number): number | Found {
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at] ?? ''
    if (char === '"') return at + 1
    if (char === '\n' || char === '\r') {
      return { at: start, fault: 'quote', problem: 'the string is not closed on its line' }
    }
    if (char < ' ') {
      return { at, fault: 'control', problem: 'a string contains a control character' }
    }
    if (char !== '\\') continue
    ESCAPE.lastIndex = at
    const escape = ESCAPE.exec(text)
    if (!escape) {
      const problem = `the escape ${JSON.stringify(text.slice(at, at + 2))} is unknown`
      return { at, fault: 'escape', problem }
    }
    at += escape[0].length - 1
  }
  return { at: start, fault: 'quote', problem: 'the string is never closed' }
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y
