import { type CharSet, type Node, parsePattern } from './pattern-syntax.ts'

/** Answers whether a text contains what a pattern describes, in time linear in the text. */
export type Pattern = (text: string) => boolean

/** How many places a pattern may have once its repetitions are written out. */
const largest = 1000

/** One step of a program: it takes a unit, goes on to other steps, or asks something of the place. */
type Step =
  | { type: 'take'; set: CharSet; next: number }
  | { type: 'split'; to: number[] }
  | { type: 'ask'; holds: (text: string, at: number) => boolean; next: number }
  | { type: 'accept' }

interface Program {
  steps: Step[]
  start: number
}

/**
 * Compiles a regular expression that ignores case. It is run as a set of all places that it can be
 * at, so that no pattern takes more than linear time; only references back to a group are refused.
 * @throws SyntaxError when it is no regular expression, is too large, or refers back to a group
 */
export function compilePattern(source: string): Pattern {
  if (/^[^\\^$.*+?()[\]{}|]*$/.test(source)) {
    const wanted = fold(source)
    return (text) => fold(text).includes(wanted)
  }
  const program = compile(parsePattern(source), false)
  return (text) => {
    for (const isFound of search(program, text, false)) if (isFound) return true
    return false
  }
}

function fold(text: string): string {
  let folded = ''
  for (let at = 0; at < text.length; at++) {
    folded += String.fromCharCode(canonical(text.charCodeAt(at)))
  }
  return folded
}

/** The unit that stands for all that differ from this one only in case (ECMAScript §22.2.2.7.3). */
function canonical(unit: number): number {
  if (unit < 128) return unit >= 97 && unit <= 122 ? unit - 32 : unit
  const upper = String.fromCharCode(unit).toUpperCase()
  const other = upper.charCodeAt(0)
  return upper.length !== 1 || other < 128 ? unit : other
}

let variants: Map<number, number[]> | undefined

/** All units that have the same canonical one. */
function variantsOf(unit: number): readonly number[] {
  if (!variants) {
    variants = new Map()
    for (let each = 0; each < 65_536; each++) {
      const key = canonical(each)
      if (key !== each) variants.set(key, [...(variants.get(key) ?? [key]), each])
    }
  }
  const key = canonical(unit)
  return variants.get(key) ?? [key]
}

function takes({ ranges, negated }: CharSet, unit: number): boolean {
  const found = variantsOf(unit).some((each) =>
    ranges.some(([from, to]) => from <= each && each <= to),
  )
  return found !== negated
}

/** Writes a pattern out as steps; backward for what is to be read from the end of a text. */
function compile(root: Node, backward: boolean): Program {
  const steps: Step[] = [{ type: 'accept' }]
  const add = (step: Step): number => {
    if (steps.length >= largest) throw new SyntaxError('it is too large')
    return steps.push(step) - 1
  }

  /** Adds the steps of a part in front of those that follow it, and gives the first. */
  function emit(node: Node, next: number): number {
    switch (node.type) {
      case 'set':
        return add({ type: 'take', set: node.set, next })
      case 'sequence': {
        const nodes = backward ? node.nodes : node.nodes.toReversed()
        return nodes.reduce((following, each) => emit(each, following), next)
      }
      case 'choice': {
        const [only] = node.nodes
        if (only && node.nodes.length === 1) return emit(only, next)
        return add({ type: 'split', to: node.nodes.map((each) => emit(each, next)) })
      }
      case 'repeat':
        return emitRepeat(node, next)
      case 'edge':
        return add({ type: 'ask', holds: edges[node.edge], next })
      case 'look':
        return add({ type: 'ask', holds: look(node), next })
    }
  }

  function emitRepeat({ node, min, max }: Extract<Node, { type: 'repeat' }>, next: number): number {
    let following = next
    if (max === Infinity) {
      const loop: Step = { type: 'split', to: [next] }
      following = add(loop)
      loop.to.push(emit(node, following))
    } else {
      for (let count = min; count < max; count++) {
        following = add({ type: 'split', to: [next, emit(node, following)] })
      }
    }
    for (let count = 0; count < min; count++) following = emit(node, following)
    return following
  }

  const start = emit(root, 0)
  return { steps, start }
}

type Edge = Extract<Node, { type: 'edge' }>['edge']

const edges: Record<Edge, (text: string, at: number) => boolean> = {
  start: (_, at) => at === 0,
  end: (text, at) => at === text.length,
  word: (text, at) => isWord(text, at - 1) !== isWord(text, at),
  inside: (text, at) => isWord(text, at - 1) === isWord(text, at),
}

function isWord(text: string, at: number): boolean {
  return /^\w$/.test(text.charAt(at))
}

/** What lies ahead is searched from the end, what lies behind from the start: once for a whole text. */
function look({
  node,
  behind,
  negated,
}: Extract<Node, { type: 'look' }>): (text: string, at: number) => boolean {
  const program = compile(node, !behind)
  let last: { text: string; found: boolean[] } | undefined
  return (text, at) => {
    if (last?.text !== text) last = { text, found: search(program, text, !behind) }
    return (last.found[at] ?? false) !== negated
  }
}

/** Where in the text a match ends that began anywhere; backward, where one begins. */
function search({ steps, start }: Program, text: string, backward: boolean): boolean[] {
  const found: boolean[] = []
  let places: number[] = []
  for (let count = 0; count <= text.length; count++) {
    const at = backward ? text.length - count : count
    const reached = reach(steps, [...places, start], text, at)
    found[at] = reached.includes(0)
    const unit = text.charCodeAt(backward ? at - 1 : at)
    places = []
    for (const place of reached) {
      const step = steps[place]
      if (step?.type === 'take' && takes(step.set, unit)) places.push(step.next)
    }
  }
  return found
}

/** Every step that can be reached from these without taking a unit. */
function reach(steps: Step[], from: number[], text: string, at: number): number[] {
  const seen = new Set<number>()
  const open = from
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    if (seen.has(place)) continue
    seen.add(place)
    const step = steps[place]
    if (step?.type === 'split') open.push(...step.to)
    if (step?.type === 'ask' && step.holds(text, at)) open.push(step.next)
  }
  return [...seen]
}
