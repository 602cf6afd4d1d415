import { define, ownValue } from '../../json/json.ts'
import { decodeParam } from '../../url/pattern.ts'

/**
 * Parses a query as json-server reads the result of `qs`: a repeated name, `[]` and an index create an array,
 * any other `[name]` an object, whose content is ignored. An invalid percent-encoding is kept as is.
 */
export function parseQueryString(search: string): Parameters {
  const parameters: Parameters = {}
  const text = search.replace(/^\?/, '').replaceAll(/%5B/gi, '[').replaceAll(/%5D/gi, ']')
  for (const part of text.split('&', maxParameters)) {
    const bracket = part.indexOf(']=')
    const end = bracket < 0 ? part.indexOf('=') : bracket + 1
    const value = end < 0 ? '' : decodeParam(part.slice(end + 1))
    const [name = '', ...keys] = keysOf(decodeParam(end < 0 ? part : part.slice(0, end)))
    if (name === '' || name === '__proto__') continue
    define(parameters, name, add(ownValue(parameters, name), keys, value))
  }
  return parameters
}

/** The parameters of a request by name. */
export interface Parameters {
  [name: string]: Value
}

/** The value of a query parameter: a string, an array for a repeated name, or an empty object. */
export type Value = string | Value[] | { [name: string]: never }

const maxParameters = 1000

/** Splits `a[b][c]` into `a`, `b` and `c`. */
function keysOf(name: string): string[] {
  const [, first = '', brackets = '', rest = ''] =
    /^([^[]*)((?:\[[^[\]]*\])*)(.*)$/s.exec(name) ?? []
  const keys = brackets === '' ? [] : brackets.slice(1, -1).split('][')
  return [first, ...keys, rest].filter(
    (key, at, all) => key !== '' || (at > 0 && at < all.length - 1),
  )
}

function add(previous: Value | undefined, keys: readonly string[], value: string): Value {
  const [key, ...inner] = keys
  if (key === undefined && previous === undefined) return value
  if (key !== undefined && !isIndex(key)) return typeof previous === 'string' ? [previous, {}] : {}
  const isObject = typeof previous === 'object' && !Array.isArray(previous)
  if (isObject && key !== undefined) return previous
  return [previous ?? [], inner.every(isIndex) ? value : {}].flat()
}

/** Whether a key in brackets is empty or below the highest index of an array. */
function isIndex(key: string): boolean {
  return /^(?:|0|[1-9]\d{0,2})$/.test(key)
}
