/**
 * The first syntax error in the text of a JSON file: its offset in UTF-16 code units, the problem, and
 * advice on how to correct it.
 */
export interface JsonError {
  offset: number
  problem: string
  advice: string
}

/**
 * Finds the first syntax error of a text; undefined if the text is valid JSON (RFC 8259). The messages of
 * `JSON.parse` differ between releases of Node, and many of them have no offset.
 */
export function findJsonError(text: string): JsonError | undefined {
  const open: Open[] = []
  let expected: Expected = 'value'
  let i = 0
  for (;;) {
    i = skipWhite(text, i)
    const char = text[i]
    if (expected === 'end')
      return char === undefined ? undefined : describe(text, i, expected, open)
    const closes = char !== undefined && char === open.at(-1)?.close
    if (closes && (expected === 'comma' || expected.startsWith('first'))) {
      open.pop()
      i++
      expected = open.length > 0 ? 'comma' : 'end'
    } else if (expected === 'comma' && char === ',') {
      i++
      expected = open.at(-1)?.close === '}' ? 'key' : 'value'
    } else if (expected === 'colon' && char === ':') {
      i++
      expected = 'value'
    } else if ((expected === 'key' || expected === 'first key') && char === '"') {
      const string = readString(text, i)
      if ('problem' in string) return string
      i = string.end
      expected = 'colon'
    } else if (expected === 'value' || expected === 'first value') {
      if (char === '{' || char === '[') {
        open.push({ close: char === '{' ? '}' : ']', at: i })
        i++
        expected = char === '{' ? 'first key' : 'first value'
        continue
      }
      const scalar = readScalar(text, i)
      if (!scalar) return describe(text, i, expected, open)
      if ('problem' in scalar) return scalar
      i = scalar.end
      expected = open.length > 0 ? 'comma' : 'end'
    } else return describe(text, i, expected, open)
  }
}

type Expected = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma' | 'end'

interface Open {
  close: '}' | ']'
  at: number
}

const WORDS: Record<Exclude<Expected, 'comma'>, string> = {
  value: 'expected a value',
  'first value': 'expected a value or "]"',
  key: 'expected a key in double quotes',
  'first key': 'expected a key in double quotes or "}"',
  colon: 'expected ":" after the key',
  end: 'expected the end of the file',
}

const VALUE = 'Please put a string into double quotes, or write a number, true, false or null.'
const KEY = 'Please put the key into double quotes, or rename the file to .json5.'

const ADVICE: Record<Expected, string> = {
  value: VALUE,
  'first value': VALUE,
  key: KEY,
  'first key': KEY,
  colon: 'Please add the colon.',
  comma: 'Please add the missing comma or close what is open.',
  end: 'Please remove what follows.',
}

function describe(text: string, at: number, expected: Expected, open: Open[]): JsonError {
  const char = text[at]
  const close = open.at(-1)?.close ?? '}'
  const wanted = expected === 'comma' ? `expected "," or "${close}"` : WORDS[expected]
  if (char === undefined) {
    const problem = text.trim() === '' ? 'the file is empty' : `${wanted}, but the file ends`
    const advice =
      text.trim() === '' ? 'Please write [] into it.' : `Please close it with "${close}".`
    return { offset: at, problem, advice }
  }
  const problem = `${wanted}, found ${JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0))}`
  return { offset: at, problem, advice: adviceFor(char, expected, close) }
}

function adviceFor(char: string, expected: Expected, close: string): string {
  if (char === close && expected === 'value' && close === '}') return 'Please write the value.'
  if (char === close && (expected === 'key' || expected === 'value')) {
    return 'Please remove the comma before it, or rename the file to .json5.'
  }
  return ADVICE_ON_CHARACTER[char] ?? ADVICE[expected]
}

/** Advice on characters that no JSON token begins with. */
const ADVICE_ON_CHARACTER: Readonly<Record<string, string>> = {
  '/': 'Please remove the comment, or rename the file to .jsonc or .json5.',
  '#': 'Please remove the comment.',
  "'": 'Please use double quotes, or rename the file to .json5.',
}

function skipWhite(text: string, from: number): number {
  let i = from
  while (text[i] === ' ' || text[i] === '\n' || text[i] === '\r' || text[i] === '\t') i++
  return i
}

function readScalar(text: string, at: number): { end: number } | JsonError | undefined {
  if (text[at] === '"') return readString(text, at)
  SCALAR.lastIndex = at
  const match = SCALAR.exec(text)
  return match ? { end: at + match[0].length } : undefined
}

const SCALAR = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y

function readString(text: string, at: number): { end: number } | JsonError {
  for (let i = at + 1; i < text.length; i++) {
    const char = text[i] ?? ''
    if (char === '"') return { end: i + 1 }
    if (char < ' ') {
      const lineBreak = char === '\n' || char === '\r'
      return {
        offset: lineBreak ? at : i,
        problem: lineBreak
          ? 'the string is not closed on its line'
          : 'a string contains a control character',
        advice: lineBreak ? 'Please add the closing quote.' : 'Please escape it.',
      }
    }
    if (char !== '\\') continue
    ESCAPE.lastIndex = i
    const escape = ESCAPE.exec(text)
    if (!escape) {
      const problem = `the escape ${JSON.stringify(text.slice(i, i + 2))} is unknown`
      return { offset: i, problem, advice: 'Please double the backslash.' }
    }
    i += escape[0].length - 1
  }
  return {
    offset: at,
    problem: 'the string is never closed',
    advice: 'Please add the closing quote.',
  }
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y
