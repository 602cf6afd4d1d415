import { type Node, parseRegExp } from './regexp-syntax.ts'

/**
 * Compiles the regular expression of a filter `_like`, ignoring case. With `RegExp`, an expression in a request
 * could block the server, because backtracking can take exponential time; here, a Thompson simulation runs all
 * alternatives in parallel, so that no expression takes more than linear time.
 * @throws SyntaxError for an expression that is invalid, too large or has a backreference. The returned function
 * throws a SyntaxError when the budget is used up.
 */
export function compileRegExp(source: string, budget: Budget = createBudget()): RegExpTest {
  if (/^[^\\^$.*+?()[\]{}|]*$/.test(source)) {
    const folded = fold(source)
    return (text) => fold(text).includes(folded)
  }
  const limits = { instructions: maxInstructions, budget }
  const program = compile(parseRegExp(source), false, limits)
  return (text) => search(program, text, false)
}

/**
 * A compiled regular expression: returns whether a text contains a match, in time linear in the length
 * of the text. Throws a SyntaxError when the budget of the request is used up.
 */
export type RegExpTest = (text: string) => boolean

/** Creates the budget of one request: one or two seconds. */
export function createBudget(): Budget {
  return { left: 20_000_000 }
}

/** How many more thread steps the expressions of a request can take, over all texts they are tested on. */
export interface Budget {
  left: number
}

/** How many instructions a compiled expression can have, including unrolled repetitions. */
const maxInstructions = 1000

/** The remaining instructions and budget of an expression, shared with its lookarounds. */
interface Limits {
  instructions: number
  budget: Budget
}

/** An instruction of a program: consumes a code unit, forks, tests the position, or accepts. */
type Instruction =
  | { type: 'unit'; matches: (unit: number) => boolean; next: number }
  | { type: 'split'; to: number[] }
  | { type: 'assertion'; holds: (text: string, at: number) => boolean; next: number }
  | { type: 'accept' }

/** The instructions by number, and the working memory of a search. */
interface Program {
  instructions: readonly Instruction[]
  start: number
  budget: Budget
  /** The code unit tests of the instructions that consume one, and the instructions after them. */
  matches: readonly (((unit: number) => boolean) | undefined)[]
  nexts: Int32Array
  /** The last position at which each instruction was reached. */
  reached: Int32Array
  /** The threads at a position, of which the first come from the position before. */
  threads: Int32Array
}

/** Folds the case of every code unit, as a regular expression with the `i` flag does (ECMAScript §22.2.2.7.3). */
function fold(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text.toUpperCase()
  return text.replaceAll(/[a-z]+|[^\0-\x7f]/g, (part) => {
    const upper = part.toUpperCase()
    return upper.length === part.length && (part < '\x80' || upper >= '\x80') ? upper : part
  })
}

/** Compiles a node to a program; a backward program reads a text from the end. */
function compile(root: Node, backward: boolean, limits: Limits): Program {
  const instructions: Instruction[] = [{ type: 'accept' }]
  const add = (instruction: Instruction): number => {
    if (--limits.instructions < 0) throw new SyntaxError('it is too large')
    return instructions.push(instruction) - 1
  }

  /** Adds the instructions of a node, which continue at `next`; returns the index of the first. */
  function emit(node: Node, next: number): number {
    switch (node.type) {
      case 'unit':
      case 'assertion':
        return add({ ...node, next })
      case 'lookaround':
        return add({ type: 'assertion', holds: toAssertion(node, limits), next })
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
      const loop: Instruction = { type: 'split', to: [next] }
      following = add(loop)
      loop.to.push(emit(node, following))
    } else {
      for (let count = min; count < max; count++) {
        following = add({ type: 'split', to: [next, emit(node, following)] })
      }
    }
    for (let count = 0; count < min; count++) {
      const first = emit(node, following)
      // A node without instructions stays empty however often it is repeated.
      if (first === following) break
      following = first
    }
    return following
  }

  const start = emit(root, 0)
  return {
    instructions,
    start,
    budget: limits.budget,
    matches: instructions.map((one) => (one.type === 'unit' ? one.matches : undefined)),
    nexts: Int32Array.from(instructions, (one) => ('next' in one ? one.next : 0)),
    reached: new Int32Array(instructions.length),
    threads: new Int32Array(instructions.length + 1),
  }
}

/** Compiles a lookaround to an assertion; one search per text finds every position where it holds. */
function toAssertion(
  { node, behind, negated }: Extract<Node, { type: 'lookaround' }>,
  limits: Limits,
): (text: string, at: number) => boolean {
  // A lookahead is searched backward from the end of the text, a lookbehind forward.
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
 * Whether a text contains a match. If `found` is given, marks every position where a match ends; in a
 * backward search these are the positions where a match begins.
 */
function search(program: Program, text: string, backward: boolean, found?: Uint8Array): boolean {
  const { instructions, start, budget, matches, nexts, reached, threads } = program
  reached.fill(-1)
  let size = 0

  /** Adds a thread for an instruction, unless there is one. */
  function enter(index: number, at: number): void {
    if (reached[index] === at) return
    reached[index] = at
    threads[size++] = index
  }

  for (let count = 0; count <= text.length; count++) {
    const at = backward ? text.length - count : count
    enter(start, at)
    // Adds the threads that are reachable without consuming a unit.
    for (let index = 0; index < size; index++) {
      const thread = threads[index] ?? 0
      if (matches[thread]) continue
      const instruction = instructions[thread]
      if (instruction?.type === 'split') for (const to of instruction.to) enter(to, at)
      else if (instruction?.type === 'assertion' && instruction.holds(text, at))
        enter(instruction.next, at)
    }
    budget.left -= size
    if (budget.left < 0) throw new SyntaxError('it takes too long on this data')
    if (reached[0] === at) {
      if (!found) return true
      found[at] = 1
    }
    const unit = text.charCodeAt(backward ? at - 1 : at)
    const following = backward ? at - 1 : at + 1
    const before = size
    size = 0
    for (let index = 0; index < before; index++) {
      const thread = threads[index] ?? 0
      if (matches[thread]?.(unit)) enter(nexts[thread] ?? 0, following)
    }
  }
  return false
}
