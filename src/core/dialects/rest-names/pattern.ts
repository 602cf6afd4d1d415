import type { SpelledParameter } from '../rest/spelling.ts'

/** Parses how requests write a parameter: `filter[$field][$op]`; `operators` can stand for `$op` next to a word. */
export function parsePattern(text: string, operators: readonly string[] = []): Pattern {
  const equals = text.indexOf('=')
  const name = equals < 0 ? text : text.slice(0, equals)
  const matchName = matcherOf(name, operators)
  const matchValue =
    equals < 0 ? (value: string) => ({ value }) : splitterOf(text.slice(equals + 1))
  return {
    text,
    name: partsOf(name)[0] ?? '',
    match(written, value) {
      const found = matchName(written)
      return found && { ...matchValue(value), ...found }
    },
  }
}

/**
 * A parsed pattern: the name of a parameter with variables, as in `filter[$field][$op]`, or the name with the
 * value, as in `filter=$field||$op||$value`. Without an equals sign the whole value is `$value`. Two dollar signs
 * stand for one: `$$top`.
 */
export type Pattern = SpelledParameter

/** The parts of a parameter by variable, without its dollar sign. */
export type PatternMatch = Readonly<Partial<Record<string, string>>>

/** Returns the variables of a text in their order. */
export function patternVariables(text: string): string[] {
  return partsOf(text).filter((_, at) => at % 2 === 1)
}

const variable = /\$([A-Za-z]+)/g

/** Splits a text at its variables: literals at even indexes, names of variables at odd indexes. */
function partsOf(text: string): string[] {
  return text
    .replaceAll('$$', hidden)
    .split(variable)
    .map((part) => part.replaceAll(hidden, '$'))
}

/** Returns the name of a parameter whose pattern has no variables; undefined for any other. */
export function plainName(name: string): string | undefined {
  const parts = partsOf(name)
  return parts.length === 1 ? parts[0] : undefined
}

/** Stands for a dollar sign that is no variable; no parameter has the character. */
const hidden = '\0'

/** Matches the name of a parameter, with a regular expression that has no nested repetition. */
function matcherOf(
  name: string,
  operators: readonly string[],
): (written: string) => PatternMatch | undefined {
  const parts = partsOf(name)
  if (parts.length === 1) return (written) => (written === parts[0] ? {} : undefined)
  const source = parts.map((part, at) => {
    if (at % 2 === 0) return escape(part)
    // A word next to an underscore is an operator only if it is a known one.
    const isOpen = part === 'op' && /[\w.]$/.test(parts[at - 1] ?? '')
    return isOpen ? `(${operators.map(escape).join('|')})` : '(.+)'
  })
  const expression = new RegExp(`^${source.join('')}$`, 's')
  const names = parts.filter((_, at) => at % 2 === 1)
  return (written) => {
    if (written.length > maxLength) return undefined
    const found = expression.exec(written)
    return found
      ? Object.fromEntries(names.map((one, at) => [one, found[at + 1] ?? '']))
      : undefined
  }
}

/** Longer names of parameters match no pattern. */
const maxLength = 1000

/** Splits the value of a parameter; parts at its end can be missing. */
function splitterOf(text: string): (value: string) => PatternMatch {
  const parts = partsOf(text)
  const [start = ''] = parts
  const names = parts.filter((_, at) => at % 2 === 1)
  const separators = parts.filter((_, at) => at % 2 === 0).slice(1)
  return (value) => {
    const found: Record<string, string> = { whole: value }
    let rest = value.startsWith(start) ? value.slice(start.length) : value
    for (const [at, name] of names.entries()) {
      const separator = at < names.length - 1 ? (separators[at] ?? '') : ''
      const end = separator === '' ? -1 : rest.indexOf(separator)
      found[name] = end < 0 ? rest : rest.slice(0, end)
      if (end < 0) break
      rest = rest.slice(end + separator.length)
    }
    return found
  }
}

function escape(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
}
