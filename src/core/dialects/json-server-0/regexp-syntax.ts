/** A part of a pattern: what takes a UTF-16 code unit, what asks about a place, or other parts. */
export type Node =
  | { type: 'take'; takes: (unit: number) => boolean }
  | { type: 'ask'; holds: (text: string, at: number) => boolean }
  | { type: 'look'; node: Node; behind: boolean; negated: boolean }
  | { type: 'repeat'; node: Node; min: number; max: number }
  | { type: 'sequence' | 'choice'; nodes: Node[] }

/** How deep groups may lie in one another. */
const deepest = 100

/** A class, an escape or a character; the backslash of `\c` stands for itself where no letter follows. */
const atom =
  /\[(?:\\[^]|[^\]\\])*\]|\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|c[a-zA-Z]|(?=c)|[0-3][0-7]{0,2}|[4-7][0-7]?|[^])|[^]/y

/**
 * Reads the source of a regular expression as ECMAScript does without the `u` flag (§B.1.2).
 * @throws SyntaxError when it is none, or refers back to a group, which no linear search can follow
 */
export function parsePattern(source: string): Node {
  // The language itself refuses what is malformed, so that nothing below has to.
  RegExp(source)
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

  /** Reads what stands between bars, up to the end of the group. */
  function choice(): Node {
    if (++depth > deepest) throw new SyntaxError(`it has groups in more than ${deepest} groups`)
    const nodes = [sequence()]
    while (match(/\|/y)) nodes.push(sequence())
    match(/\)/y)
    depth--
    return { type: 'choice', nodes }
  }

  function sequence(): Node {
    const nodes: Node[] = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') {
      nodes.push(repeated(part()))
    }
    return { type: 'sequence', nodes }
  }

  function part(): Node {
    const edge = edges[match(/\^|\$|\\[bB]/y)?.[0] ?? '']
    if (edge) return { type: 'ask', holds: edge }
    const look = match(/\(\?(<?)([=!])/y)
    if (look) {
      return { type: 'look', node: choice(), behind: look[1] === '<', negated: look[2] === '!' }
    }
    if (match(/\(\?:/y)) return choice()
    const group = match(/\((\?<[^>]+>)?/y)
    if (group) {
      if (source[at] === '?') throw new SyntaxError('it has an unknown kind of group')
      groups.push(group[1])
      return choice()
    }
    references.push(match(/(?=\\(k|[1-9]\d*))/y)?.[1])
    return { type: 'take', takes: toTakes(match(atom)?.[0] ?? '') }
  }

  function repeated(node: Node): Node {
    const found = match(/(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y)
    if (!found) return node
    const [, sign, low, comma, high] = found
    const [min, max] = signs[sign ?? ''] ?? [Number(low), Number(comma ? high || Infinity : low)]
    return { type: 'repeat', node, min, max }
  }

  const node = choice()
  const refersBack = references.some((one) =>
    one === 'k' ? groups.some(Boolean) : Number(one) <= groups.length,
  )
  if (refersBack) throw new SyntaxError('it refers back to a group')
  return node
}

const signs: Record<string, readonly [min: number, max: number]> = {
  '*': [0, Infinity],
  '+': [1, Infinity],
  '?': [0, 1],
}

const edges: Record<string, (text: string, at: number) => boolean> = {
  '^': (_, at) => at === 0,
  $: (text, at) => at === text.length,
  '\\b': (text, at) => isWord(text, at - 1) !== isWord(text, at),
  '\\B': (text, at) => isWord(text, at - 1) === isWord(text, at),
}

function isWord(text: string, at: number): boolean {
  return /\w/.test(text.charAt(at))
}

/** Asks the language which units an atom takes, and keeps the answers for those that most texts have. */
function toTakes(written: string): (unit: number) => boolean {
  const one = new RegExp(`^${written === '\\' ? '\\\\' : written}$`, 'i')
  // 0 stands for what has not been asked yet.
  const known = new Int8Array(128)
  const takes = (unit: number): boolean => one.test(String.fromCharCode(unit))
  return (unit) => {
    if (unit >= known.length) return takes(unit)
    known[unit] ||= takes(unit) ? 1 : -1
    return known[unit] === 1
  }
}
