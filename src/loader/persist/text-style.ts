import type { Json } from '../../core/json/json.ts'
import { childSpans, rootSpan, type Span } from '../text/spans.ts'

/** How a text is laid out, so that what is put into it looks like what stands there. */
export interface TextStyle {
  /** One step of indentation. */
  unit: string
  newline: string
  /** What stands behind a colon, and behind a comma on one line. */
  colon: string
  comma: string
  /** What stands inside the braces of an object on one line. */
  pad: string
  /** Whether every record stands on one line. */
  isRecordInline: boolean
  /** Whether a list of plain values stands on one line where objects do not. */
  hasInlineLists: boolean
  /** The quote of texts, and that of keys; nothing where keys are bare. */
  quote: '"' | "'"
  keyQuote: '"' | "'" | ''
}

/** Finds out how a text is laid out from the first record in it. */
export function detectStyle(text: string): TextStyle {
  const root = rootSpan(text)
  const record = findRecord(text, root)
  const members = childSpans(text, record.start, SAMPLE)
  const [first, second] = members
  const style: TextStyle = { ...PLAIN, newline: /\r?\n|\r/.exec(text)?.[0] ?? '\n' }
  const firstQuote = members
    .map(({ start }) => text[start])
    .find((char) => char && '"\''.includes(char))
  if (firstQuote === "'") style.quote = "'"
  if (!first) return { ...style, unit: indentAfter(text, root.start) ?? PLAIN.unit }
  const lead = text.slice(record.start + 1, first.keyStart)
  const key = text[first.keyStart]
  style.keyQuote = key === '"' || key === "'" ? key : ''
  style.colon = /\s*$/.exec(text.slice(first.keyStart, first.start))?.[0] ?? ''
  const lists = members.filter(({ start, end }) => text[start] === '[' && end > start + 2)
  if (/[\n\r]/.test(lead)) {
    const outer = lineIndent(text, record.start)
    style.unit = lineIndent(text, first.keyStart).slice(outer.length) || PLAIN.unit
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

const SAMPLE = 20
const PLAIN: TextStyle = {
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

/** The first object inside a list, else the root. */
function findRecord(text: string, root: Span): Span {
  const around = text[root.start] === '[' ? [root] : childSpans(text, root.start, SAMPLE)
  for (const list of around) {
    if (text[list.start] !== '[') continue
    const record = childSpans(text, list.start, 1)[0]
    if (record && text[record.start] === '{') return record
  }
  return root
}

/** The white space in front of the line that an offset is on. */
function lineIndent(text: string, at: number): string {
  const start = Math.max(text.lastIndexOf('\n', at - 1), text.lastIndexOf('\r', at - 1)) + 1
  return /^[ \t]*/.exec(text.slice(start, at))?.[0] ?? ''
}

/** The indentation of what follows an opening bracket, or undefined where it is on the same line. */
function indentAfter(text: string, at: number): string | undefined {
  INDENT.lastIndex = at + 1
  return INDENT.exec(text)?.[1]
}

const INDENT = /\s*[\n\r]([ \t]*)(?=[^\s\]}])/y

/**
 * Writes a value in a style: over several lines, each inner one behind the given indentation, or on one
 * line where the indentation is undefined.
 */
export function encode(value: Json, style: TextStyle, indent: string | undefined): string {
  if (typeof value === 'string') return quote(value, style.quote)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const isList = Array.isArray(value)
  const isInline = isList && style.hasInlineLists && value.every(isPlain)
  const inner = indent === undefined || isInline ? undefined : indent + style.unit
  const itemIndent = style.isRecordInline ? undefined : inner
  const items = isList
    ? value.map((item) => encode(item, style, isPlain(item) ? inner : itemIndent))
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

/** Writes a key in a style. */
export function encodeKey(key: string, style: TextStyle): string {
  if (style.keyQuote === '' && /^[A-Za-z_$][\w$]*$/.test(key)) return key
  return quote(key, style.keyQuote || style.quote)
}

function isPlain(value: Json): boolean {
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
