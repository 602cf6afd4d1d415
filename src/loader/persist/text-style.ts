import type { Json } from '../../core/json/json.ts'
import { childSpans, rootSpan, type Span } from '../text/spans.ts'

/** The formatting of a fixture file, in which `--persist` writes new values. */
export interface TextStyle {
  /** One level of indentation. */
  unit: string
  newline: string
  /** The white space after a colon. */
  colon: string
  /** The white space after a comma between values on the same line. */
  comma: string
  /** The white space inside the braces of an object on one line. */
  pad: string
  /** Whether a record is written on one line. */
  isRecordInline: boolean
  /** Whether a list of scalars is written on one line, even if a record is not. */
  hasInlineLists: boolean
  /** The quote of strings. */
  quote: '"' | "'"
  /** The quote of keys; empty if keys have no quotes. */
  keyQuote: '"' | "'" | ''
}

/** Detects the format of a text from its first record. */
export function detectStyle(text: string): TextStyle {
  const root = rootSpan(text)
  const record = findRecord(text, root)
  const members = childSpans(text, record.start, SAMPLE)
  const [first, second] = members
  const style: TextStyle = { ...DEFAULT_STYLE, newline: /\r?\n|\r/.exec(text)?.[0] ?? '\n' }
  const firstQuote = members
    .map(({ start }) => text[start])
    .find((char) => char && '"\''.includes(char))
  if (firstQuote === "'") style.quote = "'"
  if (!first) return { ...style, unit: indentAfter(text, root.start) ?? DEFAULT_STYLE.unit }
  const lead = text.slice(record.start + 1, first.keyStart)
  const key = text[first.keyStart]
  style.keyQuote = key === '"' || key === "'" ? key : ''
  style.colon = /\s*$/.exec(text.slice(first.keyStart, first.start))?.[0] ?? ''
  const lists = members.filter(({ start, end }) => text[start] === '[' && end > start + 2)
  if (/[\n\r]/.test(lead)) {
    const outer = lineIndent(text, record.start)
    style.unit = lineIndent(text, first.keyStart).slice(outer.length) || DEFAULT_STYLE.unit
    style.hasInlineLists = lists.some(({ start, end }) => !/[\n\r]/.test(text.slice(start, end)))
    return style
  }
  style.isRecordInline = true
  style.pad = lead
  if (second) style.comma = /\s*$/.exec(text.slice(first.end, second.keyStart))?.[0] ?? ''
  else style.comma = style.colon
  style.unit = indentAfter(text, root.start) ?? ''
  return style
}

/** The most members and lists that are looked at. */
const SAMPLE = 20
const DEFAULT_STYLE: TextStyle = {
  unit: '  ',
  newline: '\n',
  colon: ' ',
  comma: ' ',
  pad: ' ',
  isRecordInline: false,
  hasInlineLists: false,
  quote: '"',
  keyQuote: '"',
}

/** Finds the first object in a list; the root value if there is no such object. */
function findRecord(text: string, root: Span): Span {
  const lists = text[root.start] === '[' ? [root] : childSpans(text, root.start, SAMPLE)
  for (const list of lists) {
    if (text[list.start] !== '[') continue
    const record = childSpans(text, list.start, 1)[0]
    if (record && text[record.start] === '{') return record
  }
  return root
}

function lineIndent(text: string, at: number): string {
  const start = Math.max(text.lastIndexOf('\n', at - 1), text.lastIndexOf('\r', at - 1)) + 1
  return /^[ \t]*/.exec(text.slice(start, at))?.[0] ?? ''
}

/** The indentation of the first value after an opening bracket; undefined if it is on the same line. */
function indentAfter(text: string, at: number): string | undefined {
  INDENT.lastIndex = at + 1
  return INDENT.exec(text)?.[1]
}

const INDENT = /\s*[\n\r]([ \t]*)(?=[^\s\]}])/y

/** Formats a value: on several lines if the indentation of its first line is given, else on one. */
export function encode(value: Json, style: TextStyle, indent: string | undefined): string {
  if (typeof value === 'string') return quote(value, style.quote)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const isList = Array.isArray(value)
  const isInline = isList && style.hasInlineLists && value.every(isScalar)
  const inner = indent === undefined || isInline ? undefined : indent + style.unit
  const itemIndent = style.isRecordInline ? undefined : inner
  const items = isList
    ? value.map((item) => encode(item, style, isScalar(item) ? inner : itemIndent))
    : Object.keys(value).map(
        (key) =>
          `${encodeKey(key, style)}:${style.colon}${encode(value[key] ?? null, style, inner)}`,
      )
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (items.length === 0) return open + close
  if (inner !== undefined) {
    const lead = style.newline + inner
    return open + lead + items.join(`,${lead}`) + style.newline + (indent ?? '') + close
  }
  const pad = isList ? '' : style.pad
  return open + pad + items.join(`,${style.comma}`) + pad + close
}

/** Formats a key in a style. */
export function encodeKey(key: string, style: TextStyle): string {
  if (style.keyQuote === '' && /^[A-Za-z_$][\w$]*$/.test(key)) return key
  return quote(key, style.keyQuote || style.quote)
}

function isScalar(value: Json): boolean {
  return typeof value !== 'object' || value === null
}

function quote(text: string, mark: '"' | "'"): string {
  const json = JSON.stringify(text)
  if (mark === '"') return json
  return `'${json
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`
}
