import { isRecord, isSame, type Json, type JsonRecord } from '../../core/json/json.ts'
import { rootSpan, childSpans, type Span } from '../text/spans.ts'
import { partsOf, render, type TextChild, type TextNode, type TextParts } from './text-tree.ts'

/** The text of a fixture file: an update patches only changed values, and keeps comments and layout. */
export interface FixtureText {
  /** Changes the text to represent a value. Returns whether the text has changed. */
  update(value: Json): boolean
  /** The pieces of the text in order; a large text is never joined in memory. */
  pieces(): Iterable<string>
}

/** Rules for matching new data with the text. */
export interface PatchOptions {
  /** The ids of a list's records, by which their text is found; by index if undefined is returned. */
  idsOf?(path: readonly string[], list: readonly Json[]): readonly string[] | undefined
  /** Whether a member of the root object stays although the data has no such key. */
  isKept?(key: string): boolean
}

/** Creates the text of a file for updates; `value` is the parsed text. */
export function createFixtureText(
  text: string,
  value: Json,
  options: PatchOptions = {},
): FixtureText {
  const { start, end } = rootSpan(text)
  const root: TextNode = { value, text: text.slice(start, end), parts: undefined }
  const style = detectStyle(text)
  const context: Context = {
    ...options,
    style,
    path: [],
    indent: style.unit === '' ? undefined : '',
  }
  return {
    update: (next) => patch(root, next, context),
    *pieces() {
      yield text.slice(0, start)
      yield* render(root)
      yield text.slice(end)
    },
  }
}

interface Context extends PatchOptions {
  style: TextStyle
  /** The path of keys to the node; undefined inside records. */
  path: readonly string[] | undefined
  /** The indentation of the line that the node begins on; undefined if the whole text is on one line. */
  indent: string | undefined
}

/** Changes a node to represent a value. Returns whether its text has changed. */
function patch(node: TextNode, next: Json, context: Context): boolean {
  const before = node.value
  if (isSame(before, next)) {
    node.value = next
    return false
  }
  const parts = isKindOf(before, next) ? partsOf(node) : undefined
  node.value = next
  if (!parts || (parts.children.length === 0 && parts.tail.trim() === '')) {
    node.text = encode(next, context.style, context.indent)
    node.parts = undefined
    return true
  }
  if (isRecord(next)) node.parts = patchObject(parts, next, context)
  else if (Array.isArray(before) && Array.isArray(next)) {
    node.parts = patchList(parts, before, next, context)
  }
  node.text = undefined
  return true
}

/** Whether two values are both objects or both lists, so that the text of the first can be changed in part. */
function isKindOf(before: Json, next: Json): boolean {
  if (isRecord(before)) return isRecord(next)
  return Array.isArray(before) && Array.isArray(next)
}

function patchObject(parts: TextParts, next: JsonRecord, context: Context): TextParts {
  const { style, path, isKept } = context
  const isRoot = path?.length === 0
  const children = parts.children.filter(
    ({ key }) => Object.hasOwn(next, key) || (isRoot && isKept?.(String(key)) === true),
  )
  const known = new Map(children.map((child) => [child.key, child]))
  let place = 0
  for (const key of Object.keys(next)) {
    const value = next[key] ?? null
    const child = known.get(key)
    if (child) {
      const inside = { ...context, indent: indentIn(child.lead), path: path && [...path, key] }
      patch(child.node, value, inside)
      place = children.indexOf(child) + 1
      continue
    }
    // A new member is inserted after the member that precedes it in the data.
    const lead = leadFor(parts, context)
    const text = encode(value, style, indentIn(lead))
    const label = `${encodeKey(key, style)}:${style.colon}`
    children.splice(place, 0, {
      key,
      lead,
      label,
      node: { value, text, parts: undefined },
      trail: '',
      after: '',
    })
    place++
  }
  return arrange(parts, children, context)
}

function patchList(
  parts: TextParts,
  before: readonly Json[],
  next: readonly Json[],
  context: Context,
): TextParts {
  const { style } = context
  // Records that begin on the line of the list's bracket, `[{`, have the indentation of the list.
  const indentOf = (lead: string): string | undefined =>
    indentIn(lead) ?? (style.isRecordInline ? undefined : context.indent)
  const find = matchChildren(parts.children, before, next, context)
  const children = next.map((value, key): TextChild => {
    const child = find(key)
    if (!child) {
      const lead = leadFor(parts, context)
      const indent = style.isRecordInline && isRecord(value) ? undefined : indentOf(lead)
      const text = encode(value, style, indent)
      return { key, lead, label: '', node: { value, text, parts: undefined }, trail: '', after: '' }
    }
    if (child.node.value !== value) {
      patch(child.node, value, { ...context, indent: indentOf(child.lead), path: undefined })
    }
    return child
  })
  return arrange(parts, children, context)
}

function matchChildren(
  children: readonly TextChild[],
  before: readonly Json[],
  next: readonly Json[],
  { path, idsOf }: Context,
): (index: number) => TextChild | undefined {
  let same = 0
  while (same < children.length && before[same] === next[same]) same++
  // If records were only appended, the usual case, no ids are needed.
  if (same === children.length) return (index) => children[index]
  const newIds = path && idsOf?.(path, next)
  const oldIds = path && idsOf?.(path, before)
  if (!newIds || !oldIds) return (index) => children[index]
  const known = new Map(children.slice(same).map((child, index) => [oldIds[same + index], child]))
  return (index) => (index < same ? children[index] : known.get(newIds[index]))
}

/** The white space before a new child, which is that before the last child. */
function leadFor({ children }: TextParts, { style, indent }: Context): string {
  const lead = children.at(-1)?.lead
  if (lead === undefined) return style.newline + (indent ?? '') + style.unit
  const line = /[\n\r]+[ \t]*$/.exec(lead)?.[0]
  return line ?? (children.length > 1 && lead.trim() === '' ? lead : style.comma)
}

/** The indentation of a child that begins a line; undefined if it does not begin a line. */
function indentIn(lead: string): string | undefined {
  return /[\n\r]([ \t]*)$/.exec(lead)?.[1]
}

/** Adjusts the white space at the brackets after children were added and removed. */
function arrange(parts: TextParts, children: TextChild[], { style }: Context): TextParts {
  const [oldFirst, oldSecond] = parts.children
  const [first] = children
  const isInline = oldFirst && !parts.children.some(({ lead }) => /[\n\r]/.test(lead))
  if (isInline && first && first !== oldFirst) {
    const edge = oldFirst.lead
    oldFirst.lead = oldSecond?.lead ?? style.comma
    if (first.lead.trim() === '') first.lead = edge
  }
  const tail = first || parts.tail.trim() !== '' ? parts.tail : ''
  return { children, tail, hasLastComma: parts.hasLastComma && first !== undefined }
}

/** The formatting of a fixture file, in which `--persist` writes new values. */
interface TextStyle {
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

function detectStyle(text: string): TextStyle {
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
function encode(value: Json, style: TextStyle, indent: string | undefined): string {
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

function encodeKey(key: string, style: TextStyle): string {
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
