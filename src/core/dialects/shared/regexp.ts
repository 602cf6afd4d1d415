/**
 * Compiles a regular expression of a request, which ignores case unless `isExact`. With `RegExp`, an expression in a request
 * could block the server, because backtracking can take exponential time; here, a Thompson simulation follows
 * all alternatives in parallel, so that no expression takes more than linear time. `RegExp` only checks the
 * syntax, which is that of ECMAScript §B.1.2, and tests single characters.
 * @throws SyntaxError for an expression that is invalid or too large, or has a backreference or a lookaround. The
 * returned function throws a SyntaxError when the budget is used up.
 */
export function compileRegExp(
  source: string,
  budget: Budget,
  isExact = false,
): (text: string) => boolean {
  const start = parse(source, isExact ? '' : 'i')
  const isPlain = /^[^\\^$.*+?()[\]{}|\x80-\uffff]*$/.test(source)
  if (isExact && isPlain) return (text) => text.includes(source)
  const plain = isPlain ? source.toUpperCase() : undefined
  return (text) => {
    if (plain === undefined || /[^\0-\x7f]/.test(text)) return search(start, text, budget)
    return text.toUpperCase().includes(plain)
  }
}

/** How many more states the expressions of a request can visit, over all texts. */
export interface Budget {
  left: number
}

/** A state: where it `holds`, continues at the states `to`, after it has consumed a code unit or at once. */
interface State {
  holds(text: string, position: number): boolean
  consumes: boolean
  to: State[]
}

const accept: State = { holds: () => true, consumes: false, to: [] }

/** Creates the states of a part of an expression, which continue at `next`; returns the first. */
type Emit = (next: State) => State

/** A class, an escape or a character; in `\c` without a letter, the backslash. */
const atom =
  /\[(?:\\[^]|[^\]\\])*\]|\\(?:x[\da-f]{2}|u[\da-f]{4}|c[a-z]|(?=c)|0[0-7]{0,2}|[^])|[^]/iy

/** Parses an expression to an automaton; returns its first state. */
function parse(source: string, flags: string): State {
  try {
    RegExp(source)
  } catch (cause) {
    throw new SyntaxError('it is not a regular expression', { cause })
  }
  let offset = 0
  /** The number of states, with those of unrolled repetitions. */
  let states = 0

  function match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = offset
    const matched = expression.exec(source) ?? undefined
    offset += matched?.[0].length ?? 0
    return matched
  }

  function add(holds: State['holds'], consumes: boolean, ...to: State[]): State {
    if (++states > 1000) throw new SyntaxError('it is too large')
    return { holds, consumes, to }
  }

  /** Parses alternatives up to and including the end of the group. */
  function choice(): Emit {
    const parts = [sequence()]
    while (match(/\|/y)) parts.push(sequence())
    match(/\)/y)
    const [only] = parts
    if (only && parts.length === 1) return only
    return (next) => add(accept.holds, false, ...parts.map((emit) => emit(next)))
  }

  function sequence(): Emit {
    const parts: Emit[] = []
    while (match(/(?=[^|)])/y)) parts.unshift(quantified(term()))
    return (next) => parts.reduce((following, emit) => emit(following), next)
  }

  function term(): Emit {
    const assertion = assertions[match(/\^|\$|\\b/iy)?.[0] ?? '']
    if (assertion) return (next) => add(assertion, false, next)
    if (match(/\(\?<?[=!]/y)) throw new SyntaxError('it has a lookaround')
    if (match(/\((?:\?(?:<[^>]+>|:))?/y)) return choice()
    if (match(/\\[1-9k]/y)) throw new SyntaxError('it has a backreference')
    const holds = toUnitTest(match(atom)?.[0] ?? '', flags)
    return (next) => add(holds, true, next)
  }

  function quantified(emit: Emit): Emit {
    const quantifier = match(/(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/y)
    if (!quantifier) return emit
    const [, sign, low = sign === '+' ? 1 : 0, comma = sign, high = sign === '?' ? 1 : ''] =
      quantifier
    const max = Number(comma ? high || Infinity : low)
    return (next) => {
      let following = max === Infinity ? add(accept.holds, false, next) : next
      if (max === Infinity) following.to.push(emit(following))
      for (let rest = max === Infinity ? 0 : max - Number(low); rest > 0; rest--) {
        following = add(accept.holds, false, next, emit(following))
      }
      for (let count = 0; count < Number(low); count++) {
        const first = emit(following)
        // A part without states stays empty however often it is repeated.
        if (first === following) break
        following = first
      }
      return following
    }
  }

  return choice()(accept)
}

const assertions: Record<string, State['holds']> = {
  '^': (_, position) => position === 0,
  $: (text, position) => position === text.length,
  '\\b': (text, position) => isWord(text, position - 1) !== isWord(text, position),
  '\\B': (text, position) => isWord(text, position - 1) === isWord(text, position),
}

const isWord = (text: string, position: number): boolean => /\w/.test(text.charAt(position))

/** Creates the test of an atom on a code unit: runs the engine's own `RegExp`, and caches the results. */
function toUnitTest(source: string, flags: string): State['holds'] {
  const expression = new RegExp(`^${source === '\\' ? '\\\\' : source}$`, flags)
  const results: boolean[] = []
  return (text, position) => {
    const unit = text.charCodeAt(position)
    return position < text.length && (results[unit] ??= expression.test(text.charAt(position)))
  }
}

/** Whether a text contains a match: visits the states that are reachable at each position. */
function search(start: State, text: string, budget: Budget): boolean {
  let states = new Set<State>()
  for (let position = 0; position <= text.length; position++) {
    const following = new Set<State>()
    states.add(start)
    // The set grows by the states that are reachable without consuming a unit.
    for (const { holds, consumes, to } of states) {
      if (!holds(text, position)) continue
      for (const state of to) (consumes ? following : states).add(state)
    }
    if (states.has(accept)) return true
    budget.left -= states.size
    if (budget.left < 0) throw new SyntaxError('it takes too long on this data')
    states = following
  }
  return false
}
