import { type Node, parsePattern } from './regexp-syntax.ts'

/** Answers whether a text contains what a pattern describes, in time linear in the text. */
export type Pattern = (text: string) => boolean

/** How many places a pattern may have once its repetitions are written out. */
const largest = 1000

/** How many more places patterns may be at, over all texts that they are asked about. */
export interface Budget {
  left: number
}

/** What the patterns of one question may take: a second or two. */
export function createBudget(): Budget {
  return { left: 20_000_000 }
}

/** What one pattern may still take, with all that it looks for ahead and behind. */
interface Limits {
  places: number
  budget: Budget
}

/** One step of a program: it takes a unit, goes on to other steps, or asks something of the place. */
type Step =
  | { type: 'take'; takes: (unit: number) => boolean; next: number }
  | { type: 'split'; to: number[] }
  | { type: 'ask'; holds: (text: string, at: number) => boolean; next: number }
  | { type: 'accept' }

interface Program {
  steps: Step[]
  start: number
  budget: Budget
}

/**
 * Compiles a regular expression that ignores case. It is run as a set of all places that it can be
 * at, so that no pattern takes more than linear time. What it gives throws a SyntaxError too, when the
 * budget is used up.
 * @throws SyntaxError when it is no regular expression, is too large, or refers back to a group
 */
export function compilePattern(source: string, budget: Budget = createBudget()): Pattern {
  if (/^[^\\^$.*+?()[\]{}|]*$/.test(source)) {
    const wanted = fold(source)
    return (text) => fold(text).includes(wanted)
  }
  const program = compile(parsePattern(source), false, { places: largest, budget })
  return (text) => search(program, text, false)
}

/** The text with one unit for all that differ only in case (ECMAScript §22.2.2.7.3). */
function fold(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text.toUpperCase()
  return text.replaceAll(/[a-z]+|[^\0-\x7f]/g, (part) => {
    const upper = part.toUpperCase()
    return upper.length === part.length && (part < '\x80' || upper >= '\x80') ? upper : part
  })
}

/** Writes a pattern out as steps; backward for what is to be read from the end of a text. */
function compile(root: Node, backward: boolean, limits: Limits): Program {
  const steps: Step[] = [{ type: 'accept' }]
  const add = (step: Step): number => {
    if (--limits.places < 0) throw new SyntaxError('it is too large')
    return steps.push(step) - 1
  }

  /** Adds the steps of a part in front of those that follow it, and gives the first. */
  function emit(node: Node, next: number): number {
    switch (node.type) {
      case 'take':
      case 'ask':
        return add({ ...node, next })
      case 'look':
        return add({ type: 'ask', holds: look(node, limits), next })
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
    for (let count = 0; count < min; count++) {
      const first = emit(node, following)
      // What has no steps has none however often it is repeated.
      if (first === following) break
      following = first
    }
    return following
  }

  const start = emit(root, 0)
  return { steps, start, budget: limits.budget }
}

/** What lies ahead is searched from the end, what lies behind from the start: once for a whole text. */
function look(
  { node, behind, negated }: Extract<Node, { type: 'look' }>,
  limits: Limits,
): (text: string, at: number) => boolean {
  const program = compile(node, !behind, limits)
  let last: { text: string; found: Uint8Array } | undefined
  return (text, at) => {
    if (last?.text !== text) {
      const found = new Uint8Array(text.length + 1)
      search(program, text, !behind, found)
      last = { text, found }
    }
    return (last.found[at] === 1) !== negated
  }
}

/**
 * Whether a match that began anywhere in the text ends anywhere. With `found` all ends are looked for,
 * and marked there; backward, these are the places where a match begins.
 */
function search(program: Program, text: string, backward: boolean, found?: Uint8Array): boolean {
  const { steps, start, budget } = program
  const seen = new Int32Array(steps.length).fill(-1)
  let places = new Int32Array(steps.length)
  let next = new Int32Array(steps.length)
  let size = 0
  const open: number[] = []

  /** Adds every step that can be reached from this one without taking a unit. */
  function enter(from: number, at: number): void {
    open.push(from)
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (seen[place] === at) continue
      seen[place] = at
      const step = steps[place]
      if (step?.type === 'split') for (const to of step.to) open.push(to)
      else if (step?.type === 'ask' && step.holds(text, at)) open.push(step.next)
      places[size++] = place
    }
  }

  for (let count = 0; count <= text.length; count++) {
    const at = backward ? text.length - count : count
    const held = size
    ;[places, next] = [next, places]
    size = 0
    for (let index = 0; index < held; index++) enter(next[index] ?? 0, at)
    enter(start, at)
    budget.left -= size
    if (budget.left < 0) throw new SyntaxError('it takes too long over this data')
    if (seen[0] === at) {
      if (!found) return true
      found[at] = 1
    }
    const unit = text.charCodeAt(backward ? at - 1 : at)
    let kept = 0
    for (let index = 0; index < size; index++) {
      const step = steps[places[index] ?? 0]
      if (step?.type === 'take' && step.takes(unit)) places[kept++] = step.next
    }
    size = kept
  }
  return false
}
