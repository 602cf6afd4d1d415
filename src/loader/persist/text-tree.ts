import type { Json } from '../../core/json/json.ts'
import { childSpans, skipSpace } from '../text/spans.ts'

/** A value with its text; once it has changed, with its parts, so that unchanged children keep their text. */
export interface TextNode {
  value: Json
  /** The text of the value; undefined once the parts have changed, which then replace the text. */
  text: string | undefined
  parts: TextParts | undefined
}

/** The text between the brackets of an object or a list. */
export interface TextParts {
  children: TextChild[]
  /** The text between the last child and the closing bracket. */
  tail: string
  /** Whether there is a trailing comma. */
  hasLastComma: boolean
}

/** A member or an element, with the white space and the comments that belong to it. */
export interface TextChild {
  /** The key of a member, or the original index of an element. */
  key: string | number
  /** White space and comments before the child. */
  lead: string
  /** From the key to the value: the key, the colon, white space and comments. Empty for an element. */
  label: string
  node: TextNode
  /** White space and comments between the child and its comma. */
  trail: string
  /** A comment after the comma on the same line. */
  after: string
}

/** Splits the text of a node into parts, once. A scalar has no children. */
export function partsOf(node: TextNode): TextParts {
  node.parts ??= split(node)
  return node.parts
}

/** Generates the pieces of a node's text in order. */
export function* render(node: TextNode): Generator<string, void, undefined> {
  if (node.text !== undefined || !node.parts) return yield node.text ?? ''
  const { children, tail, hasLastComma } = node.parts
  const [open, close] = Array.isArray(node.value) ? ['[', ']'] : ['{', '}']
  let isInComment = false
  // The line break after a line comment may have been removed with the child that it belonged to.
  const space = (text: string): string => {
    const line = isInComment && !/^[ \t]*[\n\r]/.test(text) ? '\n' : ''
    isInComment = endsInLineComment(text)
    return line + text
  }
  yield open
  let left = children.length
  for (const child of children) {
    left--
    const comma = hasLastComma || left > 0 ? ',' : ''
    const before = space(child.lead) + child.label
    const behind = space(child.trail) + comma
    const after = child.after === '' ? '' : space(child.after)
    if (child.node.text === undefined) {
      yield before
      yield* render(child.node)
      yield behind + after
    } else yield before + child.node.text + behind + after
  }
  yield space(tail) + close
}

/** Whether a text of white space and comments ends inside a line comment. Ignores `//` inside a block comment. */
function endsInLineComment(text: string): boolean {
  const last = text.match(/\/\*[\s\S]*?\*\/|\/\/[^\n\r]*/g)?.at(-1)
  return last !== undefined && last.startsWith('//') && text.endsWith(last)
}

function split(node: TextNode): TextParts {
  const { text = '', value } = node
  const spans = childSpans(text, 0)
  const end = text.length - 1
  const children: TextChild[] = []
  let from = 1
  let hasLastComma = false
  for (const [index, span] of spans.entries()) {
    const next = spans[index + 1]?.keyStart ?? end
    const mark = skipSpace(text, span.end)
    hasLastComma = text[mark] === ','
    // Without a comma, a comment on the line of the last value belongs to that value, and the rest to the tail.
    const comma = hasLastComma ? mark : span.end
    const behind = hasLastComma ? mark + 1 : span.end
    const line = endOfComment(text, behind, next)
    children.push({
      key: span.key,
      lead: text.slice(from, span.keyStart),
      label: text.slice(span.keyStart, span.start),
      node: {
        value: valueAt(value, span.key),
        text: text.slice(span.start, span.end),
        parts: undefined,
      },
      trail: text.slice(span.end, comma),
      after: text.slice(behind, line),
    })
    from = line
  }
  return { children, tail: text.slice(from, end), hasLastComma }
}

/** The end of the line if only comments and white space precede it, or else the offset itself. */
function endOfComment(text: string, from: number, limit: number): number {
  if (!' \t/'.includes(text[from] ?? '-')) return from
  COMMENT.lastIndex = from
  const length = COMMENT.exec(text)?.[0].length ?? 0
  return from + length <= limit ? from + length : from
}

// The comments before the end of a line. A block comment followed by a value belongs to that value.
const COMMENT = /(?:[ \t]*\/\*(?:(?!\*\/)[^\n\r])*\*\/)*(?:[ \t]*\/\/[^\n\r]*|[ \t]*(?=[\n\r]))/y

function valueAt(value: Json, key: string | number): Json {
  if (Array.isArray(value)) return value[Number(key)] ?? null
  if (typeof value !== 'object' || value === null) return null
  return Object.hasOwn(value, key) ? (value[key] ?? null) : null
}
