/**
 * Parses the regular expression of a filter `_like` to a syntax tree, from which `compileRegExp` makes a program
 * that runs in linear time. Accepts expressions without the `u` flag, with the legacy syntax of
 * ECMAScript §B.1.2.
 * @throws SyntaxError for an invalid expression, and for a backreference, which needs backtracking
 */
export function parseRegExp(source: string): Node {
  checkSyntax(source)
  let at = 0
  let depth = 0
  const groups: (string | undefined)[] = []
  const references: (string | undefined)[] = []

  function match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = at
    const found = expression.exec(source) ?? undefined
    at += found?.[0].length ?? 0
    return found
  }

  /** Parses alternatives up to and including the end of the group. */
  function choice(): Node {
    if (++depth > maxDepth) throw new SyntaxError(`it has groups nested deeper than ${maxDepth}`)
    const nodes = [sequence()]
    while (match(/\|/y)) nodes.push(sequence())
    match(/\)/y)
    depth--
    return { type: 'choice', nodes }
  }

  function sequence(): Node {
    const nodes: Node[] = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') {
      nodes.push(quantified(term()))
    }
    return { type: 'sequence', nodes }
  }

  function term(): Node {
    const assertion = assertions[match(/\^|\$|\\[bB]/y)?.[0] ?? '']
    if (assertion) return { type: 'assertion', holds: assertion }
    const look = match(/\(\?(<?)([=!])/y)
    if (look) {
      return {
        type: 'lookaround',
        node: choice(),
        behind: look[1] === '<',
        negated: look[2] === '!',
      }
    }
    if (match(/\(\?:/y)) return choice()
    const group = match(/\((\?<[^>]+>)?/y)
    if (group) {
      if (source[at] === '?') throw new SyntaxError('it has an unsupported group')
      groups.push(group[1])
      return choice()
    }
    references.push(match(/(?=\\(k|[1-9]\d*))/y)?.[1])
    return { type: 'unit', matches: toUnitTest(match(atom)?.[0] ?? '') }
  }

  function quantified(node: Node): Node {
    const found = match(/(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y)
    if (!found) return node
    const [, sign, low, comma, high] = found
    const [min, max] = quantifiers[sign ?? ''] ?? [
      Number(low),
      Number(comma ? high || Infinity : low),
    ]
    return { type: 'repeat', node, min, max }
  }

  const node = choice()
  const hasBackreference = references.some((one) =>
    one === 'k' ? groups.some(Boolean) : Number(one) <= groups.length,
  )
  if (hasBackreference) throw new SyntaxError('it has a backreference')
  return node
}

/**
 * A node of the syntax tree. A `unit` consumes one UTF-16 code unit; an `assertion` (such as `^`) and a
 * `lookaround` test a position and consume nothing.
 */
export type Node =
  | { type: 'unit'; matches: (unit: number) => boolean }
  | { type: 'assertion'; holds: (text: string, at: number) => boolean }
  | { type: 'lookaround'; node: Node; behind: boolean; negated: boolean }
  | { type: 'repeat'; node: Node; min: number; max: number }
  | { type: 'sequence' | 'choice'; nodes: Node[] }

/** How deep groups can be nested. */
const maxDepth = 100

/** A class, an escape or a character; in `\c` without a letter the backslash is a character. */
const atom =
  /\[(?:\\[^]|[^\]\\])*\]|\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|c[a-zA-Z]|(?=c)|[0-3][0-7]{0,2}|[4-7][0-7]?|[^])|[^]/y

/** Checks an expression with the engine, whose message differs between engines; the parser needs valid syntax. */
function checkSyntax(source: string): void {
  try {
    RegExp(source)
  } catch (cause) {
    throw new SyntaxError('it is not a regular expression', { cause })
  }
}

const quantifiers: Record<string, readonly [min: number, max: number]> = {
  '*': [0, Infinity],
  '+': [1, Infinity],
  '?': [0, 1],
}

const assertions: Record<string, (text: string, at: number) => boolean> = {
  '^': (_, at) => at === 0,
  $: (text, at) => at === text.length,
  '\\b': (text, at) => isWord(text, at - 1) !== isWord(text, at),
  '\\B': (text, at) => isWord(text, at - 1) === isWord(text, at),
}

function isWord(text: string, at: number): boolean {
  return /\w/.test(text.charAt(at))
}

/** Creates the test of an atom on a code unit: runs the engine's own `RegExp`, and caches ASCII results. */
function toUnitTest(source: string): (unit: number) => boolean {
  const expression = new RegExp(`^${source === '\\' ? '\\\\' : source}$`, 'i')
  // 1 for a match, -1 for a mismatch, 0 for a unit not tested yet.
  const results = new Int8Array(128)
  const test = (unit: number): boolean => expression.test(String.fromCharCode(unit))
  return (unit) => {
    if (unit >= results.length) return test(unit)
    results[unit] ||= test(unit) ? 1 : -1
    return results[unit] === 1
  }
}
