import type { Json } from '../../core/json/json.ts'
import { childSpans, skipSpace } from '../text/spans.ts'

/** A value with the text that stands for it; the parts of a container are found when first asked for. */
export interface TextNode {
  value: Json
  /** The text as long as nothing inside has changed; undefined means that the parts tell. */
  text: string | undefined
  parts: TextParts | undefined
}

/** What stands inside a container. */
export interface TextParts {
  children: TextChild[]
  /** From behind the last child to the closing bracket. */
  tail: string
  /** Whether a comma stands behind the last child. */
  hasLastComma: boolean
}

/** A member or element with everything around it that belongs to it. */
export interface TextChild {
  /** The key; for an element the index it had in the text. */
  key: string | number
  /** White space and comments in front of it. */
  lead: string
  /** The key with the colon and what is around it; empty for an element. */
  label: string
  node: TextNode
  /** White space and comments between it and its comma. */
  trail: string
  /** A comment behind its comma on the same line. */
  after: string
}

/** The parts of a container; a value that is no container has none. */
export function partsOf(node: TextNode): TextParts {
  node.parts ??= split(node)
  return node.parts
}

/** The pieces of a node's text in order. */
export function* render(node: TextNode): Generator<string, void, undefined> {
  if (node.text !== undefined || !node.parts) return yield node.text ?? ''
  const { children, tail, hasLastComma } = node.parts
  const [open, close] = Array.isArray(node.value) ? ['[', ']'] : ['{', '}']
  let isInComment = false
  // What a comment up to the end of the line was in front of may be gone, with the line break.
  const space = (text: string): string => {
    const line = isInComment && !/^[ \t]*[\n\r]/.test(text) ? '\n' : ''
    isInComment = text.includes('//') && !/[\n\r]\s*$/.test(text)
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
    // Without a comma, what follows the last value on its line belongs to it, the rest to the bracket.
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

/** The end of the line if there is a comment before it, else where it was asked from. */
function endOfComment(text: string, from: number, limit: number): number {
  if (!' \t/'.includes(text[from] ?? '-')) return from
  COMMENT.lastIndex = from
  const length = COMMENT.exec(text)?.[0].length ?? 0
  return from + length <= limit ? from + length : from
}

// Comments up to the end of the line; a block comment that something follows belongs to what follows.
const COMMENT = /(?:[ \t]*\/\*(?:(?!\*\/)[^\n\r])*\*\/)*(?:[ \t]*\/\/[^\n\r]*|[ \t]*(?=[\n\r]))/y

function valueAt(value: Json, key: string | number): Json {
  if (Array.isArray(value)) return value[Number(key)] ?? null
  if (typeof value !== 'object' || value === null) return null
  return Object.hasOwn(value, key) ? (value[key] ?? null) : null
}
