/** Which UTF-16 code units a place in a pattern takes. */
export interface CharSet {
  /** From and to, both included. */
  ranges: readonly (readonly [from: number, to: number])[]
  negated: boolean
}

/** A part of a pattern. */
export type Node =
  | { type: 'set'; set: CharSet }
  | { type: 'sequence' | 'choice'; nodes: Node[] }
  | { type: 'repeat'; node: Node; min: number; max: number }
  | { type: 'look'; node: Node; behind: boolean; negated: boolean }
  | { type: 'edge'; edge: 'start' | 'end' | 'word' | 'inside' }

/** How deep groups may lie in one another. */
const deepest = 100

/** Code units of `\d`, `\w` and `\s` (ECMAScript §22.2.2.9). */
const digits: CharSet['ranges'] = [[48, 57]]
const wordUnits: CharSet['ranges'] = [...digits, [65, 90], [95, 95], [97, 122]]
const spaces: CharSet['ranges'] = [
  ...([
    [9, 13],
    [32, 32],
    [160, 160],
    [5760, 5760],
    [8192, 8202],
  ] as const),
  ...([
    [8232, 8233],
    [8239, 8239],
    [8287, 8287],
    [12_288, 12_288],
    [65_279, 65_279],
  ] as const),
]
const lineEnds: CharSet['ranges'] = [
  [10, 10],
  [13, 13],
  [8232, 8233],
]
const classes: Record<string, CharSet['ranges']> = { d: digits, w: wordUnits, s: spaces }
const controls: Record<string, number> = { t: 9, n: 10, v: 11, f: 12, r: 13 }
const edges: Record<string, Extract<Node, { type: 'edge' }>['edge']> = {
  '^': 'start',
  $: 'end',
  '\\b': 'word',
  '\\B': 'inside',
}

/**
 * Reads the source of a regular expression as ECMAScript does without the `u` flag (§B.1.2).
 * @throws SyntaxError when it is none, or refers back to a group, which no linear search can follow
 */
export function parsePattern(source: string): Node {
  const groups = countGroups(source)
  let at = 0
  let depth = 0

  function eat(text: string): boolean {
    if (!source.startsWith(text, at)) return false
    at += text.length
    return true
  }

  function match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = at
    const found = expression.exec(source)
    if (found) at += found[0].length
    return found ?? undefined
  }

  function choice(): Node {
    if (++depth > deepest) throw new SyntaxError(`it has groups in more than ${deepest} groups`)
    const nodes = [sequence()]
    while (eat('|')) nodes.push(sequence())
    depth--
    return { type: 'choice', nodes }
  }

  function sequence(): Node {
    const nodes: Node[] = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') nodes.push(term())
    return { type: 'sequence', nodes }
  }

  function term(): Node {
    const edge = match(/\^|\$|\\[bB]/y)?.[0]
    if (edge !== undefined) return { type: 'edge', edge: edges[edge] ?? 'start' }
    const look = match(/\(\?(<?)([=!])/y)
    if (look) {
      const behind = look[1] === '<'
      const node: Node = { type: 'look', node: group(), behind, negated: look[2] === '!' }
      return behind ? node : repeated(node)
    }
    return repeated(atom())
  }

  function group(): Node {
    const node = choice()
    if (!eat(')')) throw new SyntaxError('it has a group that does not end')
    return node
  }

  function atom(): Node {
    if (match(/[*+?]|\{\d+(?:,\d*)?\}/y)) throw new SyntaxError('it repeats nothing')
    if (eat('(?:')) return group()
    if (match(/\(\?<[\p{ID_Start}$_][\p{ID_Continue}$_]*>/uy)) return group()
    if (eat('(?')) throw new SyntaxError('it has an unknown kind of group')
    if (eat('(')) return group()
    if (eat('[')) return { type: 'set', set: charClass() }
    if (eat('.')) return { type: 'set', set: { ranges: lineEnds, negated: true } }
    if (eat('\\')) return { type: 'set', set: escape(false) }
    return single(source.charCodeAt(at++))
  }

  function repeated(node: Node): Node {
    const found = match(/(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y)
    if (!found) return node
    const [, sign, low, comma, high] = found
    const min = sign === undefined ? Number(low) : sign === '+' ? 1 : 0
    const most = sign === undefined ? (comma ? high || Infinity : low) : sign === '?' ? 1 : Infinity
    const max = Number(most)
    if (max < min) throw new SyntaxError('it has a repetition whose numbers are out of order')
    return { type: 'repeat', node, min, max }
  }

  /** Reads what follows a backslash. */
  function escape(inClass: boolean): CharSet {
    if (at >= source.length) throw new SyntaxError('it ends in a backslash')
    const named = match(/[dDwWsS]/y)?.[0]
    if (named !== undefined) {
      const ranges = classes[named.toLowerCase()] ?? []
      return { ranges, negated: named < 'a' }
    }
    const hex = match(/x([\da-fA-F]{2})|u([\da-fA-F]{4})/y)
    if (hex) return one(Number.parseInt(hex[1] ?? hex[2] ?? '', 16))
    const control = match(inClass ? /c([\w])/y : /c([a-zA-Z])/y)?.[1]
    if (control !== undefined) return one(control.charCodeAt(0) % 32)
    if (source[at] === 'c') return one(92)
    if (!inClass && (refersBack() || (groups.areNamed && source[at] === 'k'))) {
      throw new SyntaxError('it refers back to a group')
    }
    const octal = match(/[0-3][0-7]{0,2}|[4-7][0-7]?/y)?.[0]
    if (octal !== undefined) return one(Number.parseInt(octal, 8))
    const letter = source[at++] ?? ''
    if (inClass && letter === 'b') return one(8)
    return one(controls[letter] ?? letter.charCodeAt(0))
  }

  function refersBack(): boolean {
    const number = /[1-9]\d*/y
    number.lastIndex = at
    const found = number.exec(source)
    return found !== null && Number(found[0]) <= groups.count
  }

  function charClass(): CharSet {
    const negated = eat('^')
    const ranges: (readonly [number, number])[] = []
    while (!eat(']')) {
      if (at >= source.length) throw new SyntaxError('it has a class that does not end')
      const from = member()
      if (source[at] !== '-' || source[at + 1] === ']') {
        ranges.push(...from)
        continue
      }
      at++
      if (at >= source.length) throw new SyntaxError('it has a class that does not end')
      const to = member()
      const [first, last] = [unitOf(from), unitOf(to)]
      if (first === undefined || last === undefined) ranges.push(...from, [45, 45], ...to)
      else if (first > last) throw new SyntaxError('it has a range that is out of order')
      else ranges.push([first, last])
    }
    return { ranges, negated }
  }

  function member(): CharSet['ranges'] {
    if (!eat('\\')) return one(source.charCodeAt(at++)).ranges
    const { ranges, negated } = escape(true)
    return negated ? complement(ranges) : ranges
  }

  const node = choice()
  if (at < source.length) throw new SyntaxError('it ends a group that has not begun')
  return node
}

function single(unit: number): Node {
  return { type: 'set', set: one(unit) }
}

function one(unit: number): CharSet {
  return { ranges: [[unit, unit]], negated: false }
}

/** The unit of a class member that is one; undefined for `\d` and its like. */
function unitOf(ranges: CharSet['ranges']): number | undefined {
  const [range] = ranges
  return range && ranges.length === 1 && range[0] === range[1] ? range[0] : undefined
}

/** All units that the ranges, which are in order, leave out. */
function complement(ranges: CharSet['ranges']): CharSet['ranges'] {
  const starts = [0, ...ranges.map(([, to]) => to + 1)]
  const ends = [...ranges.map(([from]) => from - 1), 65_535]
  return starts.map((from, index) => [from, ends[index] ?? from] as const)
}

/** How many groups a source captures, and whether any of them has a name. */
function countGroups(source: string): { count: number; areNamed: boolean } {
  let count = 0
  let areNamed = false
  for (const [part] of source.matchAll(/\\[^]|\[(?:\\[^]|[^\]\\])*\]?|\((?:\?<(?![=!])|(?!\?))/g)) {
    if (!part.startsWith('(')) continue
    count++
    areNamed ||= part.length > 1
  }
  return { count, areNamed }
}
