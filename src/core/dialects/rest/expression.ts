import type { Operand } from '../../json/equality.ts'
import type { Where } from '../../query/tree.ts'
import { wrongParameter } from '../shared/wrong-parameter.ts'
import type { ParseFilter } from './spelling.ts'

/**
 * Parses a filter as an expression: `(title ~ 'x' || views >= 5) && author.name != null`. A question mark in front of
 * an operator has no effect, as any element of a list may match. @throws MockError 400 that names the character
 */
export const parseExpression: ParseFilter = (text, collection, parameter, spelling) => {
  const tokens = Array.from(text.matchAll(token)).filter(([word]) => word.trim() !== '')
  let at = 0

  const wrong = (): Error => {
    const { index = text.length } = tokens[at] ?? {}
    const rest = text.slice(index, index + 20)
    return wrongParameter(parameter, `cannot be read from character ${index + 1} on: "${rest}"`)
  }
  const take = (word: string): boolean => {
    const isNext = tokens[at]?.[0] === word
    if (isNext) at += 1
    return isNext
  }
  const parseList = (separator: string, parse: () => Where): Where[] => {
    const list = [parse()]
    while (take(separator)) list.push(parse())
    return list
  }
  const parseAny = (depth: number): Where => ({
    or: parseList('||', () => ({ and: parseList('&&', () => parseUnit(depth)) })),
  })

  function parseUnit(depth: number): Where {
    if (depth > 32) throw wrongParameter(parameter, 'is nested deeper than 32 levels')
    if (!take('(')) return parseComparison()
    const inner = parseAny(depth + 1)
    if (!take(')')) throw wrong()
    return inner
  }

  function parseComparison(): Where {
    const left = parseOperand()
    const operator = tokens[at]?.groups?.['operator']
    if (operator === undefined) throw wrong()
    at += 1
    const right = parseOperand()
    const isFlipped = 'value' in left
    const [field, operand] = isFlipped ? [right, left] : [left, right]
    if (!('field' in field) || !('value' in operand)) {
      throw wrongParameter(parameter, 'has to compare each field with a value')
    }
    const path = spelling.toPath(field.field, collection)
    const comparison = { path, values: [operand.value], parameter, collection, isWhole: true }
    return spelling.compare(comparison, isFlipped ? (flipped[operator] ?? operator) : operator)
  }

  function parseOperand(): { field: string } | { value: Operand } {
    const { word, text: quoted } = tokens[at]?.groups ?? {}
    if (word === undefined && quoted === undefined) throw wrong()
    at += 1
    if (quoted !== undefined) return { value: quoted.slice(1, -1).replaceAll(/\\(.)/gs, '$1') }
    if (/^(?:true|false|null|-?\d+(?:\.\d+)?)$/.test(word ?? ''))
      return { value: JSON.parse(word ?? '') as Operand }
    return { field: word ?? '' }
  }

  if (tokens.length === 0) return { and: [] }
  const where = parseAny(0)
  if (at < tokens.length) throw wrong()
  return where
}

const token =
  /(?<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|&&|\|\||[()]|\??(?<operator>[!<>]=|!~|[=~<>])|(?<word>[\w.@:+-]+)|\s+|./gsu

/** The operators that compare in the other direction. */
const flipped: Readonly<Record<string, string>> = { '>': '<', '>=': '<=', '<': '>', '<=': '>=' }
