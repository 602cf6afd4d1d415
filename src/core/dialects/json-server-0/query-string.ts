import { define, ownValue } from '../../json/json.ts'
import { decodeParam } from '../../url/pattern.ts'

/**
 * Parses a query string such as `?a=1&a=2&b[c]=3&d[]=4` as Express 4 does with the package `qs`: a repeated name
 * and `[]` create arrays, `[name]` creates objects, and an invalid percent-encoding is kept as is.
 */
export function parseQueryString(search: string): Parameters {
  // An object, as its order of keys matters: integers first.
  const flat = Object.create(null) as Parameters
  const text = search.replace(/^\?/, '').replaceAll(/%5B/gi, '[').replaceAll(/%5D/gi, ']')
  for (const part of text.split('&', maxParameters)) {
    const bracket = part.indexOf(']=')
    const at = bracket < 0 ? part.indexOf('=') : bracket + 1
    const name = decodeParam(at < 0 ? part : part.slice(0, at))
    const value = at < 0 ? '' : decodeParam(part.slice(at + 1))
    const previous = flat[name]
    flat[name] = previous === undefined ? value : [previous, value].flat()
  }
  let parameters: Parameters = {}
  for (const [name, value] of Object.entries(flat)) {
    if (name !== '') parameters = merge(parameters, build(segmentsOf(name), value)) as Parameters
  }
  return compact(parameters) as Parameters
}

/** The parameters of a request by name. */
export interface Parameters {
  [name: string]: Value
}

/**
 * The value of a query parameter: a string, an array for a repeated name or `tags[]`, or an object for
 * `author[name]`.
 */
export type Value = string | Value[] | Parameters

/** The most brackets of a name that are parsed; the rest of the name is a single key. */
const maxDepth = 5
/** The most parameters that are parsed. */
const maxParameters = 1000
/** The length above which an array becomes an object with indexes as keys. */
const maxArrayLength = 1000

/** Splits `a[b][c]` into `a`, `[b]` and `[c]`. */
function segmentsOf(name: string): string[] {
  const first = name.indexOf('[')
  if (first < 0) return [name]
  const segments = first > 0 ? [name.slice(0, first)] : []
  let open = first
  for (let count = 0; open >= 0 && count < maxDepth; count++) {
    const close = closingBracket(name, open)
    if (close < 0) return [...segments, `[${name.slice(open)}]`]
    segments.push(name.slice(open, close + 1))
    open = name.indexOf('[', close + 1)
  }
  return open < 0 ? segments : [...segments, `[${name.slice(open)}]`]
}

/** The index of the bracket that closes the one at `open`; -1 if there is no such bracket. */
function closingBracket(name: string, open: number): number {
  let level = 0
  for (let at = open; at < name.length; at++) {
    if (name[at] === '[') level++
    else if (name[at] === ']' && --level === 0) return at
  }
  return -1
}

/** Wraps a value into the arrays and objects that the segments of its name describe. */
function build(segments: readonly string[], value: Value): Value {
  return segments.reduceRight<Value>((inner, segment) => {
    if (segment === '[]')
      return lastIndexes.has(inner as object) ? inner : ([] as Value[]).concat(inner)
    const isBracket = segment.startsWith('[') && segment.endsWith(']')
    const key = isBracket ? segment.slice(1, -1) : segment
    if (key === '__proto__') return {}
    if (!isBracket || !/^(?:0|[1-9]\d*)$/.test(key)) return { [key]: inner }
    if (Number(key) >= maxArrayLength) return withLastIndex({ [key]: inner }, Number(key))
    const list: Value[] = []
    list[Number(key)] = inner
    return list
  }, value)
}

/**
 * The last indexes of objects that `qs` treats as arrays: arrays above the maximum length, and arrays
 * mixed with named keys. A value without a name is appended behind the last index.
 */
const lastIndexes = new WeakMap<object, number>()

function withLastIndex(value: Parameters, last: number): Parameters {
  lastIndexes.set(value, last)
  return value
}

function merge(target: Value, source: Value): Value {
  if (source === '') return target
  if (typeof source === 'string') return append(target, source)
  if (typeof target === 'string') return prepend(target, source)
  if (Array.isArray(target) && Array.isArray(source)) return mergeLists(target, source)
  const merged: Parameters = { ...(target as Parameters) }
  for (const [key, value] of Object.entries(source)) {
    const previous = ownValue(merged, key)
    define(merged, key, previous === undefined ? value : merge(previous, value))
  }
  const last = lastIndexes.get(target) ?? lastIndexes.get(source)
  if (last === undefined) return merged
  const indexes = Object.keys(merged).filter((key) => /^(?:0|[1-9]\d*)$/.test(key))
  return withLastIndex(merged, Math.max(last, ...indexes.map(Number)))
}

function append(target: Value, text: string): Value {
  if (typeof target === 'string') return [target, text]
  if (Array.isArray(target)) return limited(target.concat(text))
  const last = lastIndexes.get(target)
  if (last !== undefined) return withLastIndex({ ...target, [last + 1]: text }, last + 1)
  const both: Value[] = [target, text]
  lastIndexes.set(both, 1)
  return both
}

function prepend(text: string, source: Value[] | Parameters): Value {
  const last = Array.isArray(source) ? undefined : lastIndexes.get(source)
  if (last === undefined) return limited(([text] as Value[]).concat(source))
  const moved = Object.entries(source).map(([key, value]) => [Number(key) + 1, value])
  return withLastIndex({ 0: text, ...(Object.fromEntries(moved) as Parameters) }, last + 1)
}

function mergeLists(target: Value[], source: Value[]): Value {
  // `slice` keeps the gaps of a sparse array; a spread would fill them with undefined.
  const list = target.slice()
  for (const key of Object.keys(source)) {
    const at = Number(key)
    const [previous, value] = [list[at], source[at]]
    if (value === undefined) continue
    if (previous === undefined) list[at] = value
    else if (typeof previous === 'object' && typeof value === 'object')
      list[at] = merge(previous, value)
    else list.push(value)
  }
  return limited(list)
}

/** Converts an array above the maximum length to an object. */
function limited(list: Value[]): Value {
  if (list.length <= maxArrayLength) return list
  return withLastIndex(Object.fromEntries(Object.entries(list)), list.length - 1)
}

/** Removes the gaps of sparse arrays. */
function compact(value: Value): Value {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.filter((each) => each !== undefined).map(compact)
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, compact(each)]))
}
