import { define, ownValue } from '../../json/json.ts'
import { decodeParam } from '../../url/pattern.ts'

/** The value of a parameter: a text, or what brackets in its name make of it. */
export type Value = string | Value[] | Parameters

/** The parameters of a request by name. */
export interface Parameters {
  [name: string]: Value
}

/** How many brackets of a name count; what follows them is one name. */
const deepest = 5
/** How many parameters are read. */
const most = 1000
/** The length from which on an array is kept as an object. */
const longest = 1000

/**
 * Reads a query such as `?a=1&a=2&b[c]=3&d[]=4` in the way of Express 4: a repeated name and `[]` make
 * arrays, `[name]` makes objects, and a broken escape stays as it was sent.
 */
export function parseQueryString(search: string): Parameters {
  // Names that are numbers come first, as in every object.
  const flat = Object.create(null) as Parameters
  const text = search.replace(/^\?/, '').replaceAll(/%5B/gi, '[').replaceAll(/%5D/gi, ']')
  for (const part of text.split('&', most)) {
    const bracket = part.indexOf(']=')
    const at = bracket < 0 ? part.indexOf('=') : bracket + 1
    const name = decodeParam(at < 0 ? part : part.slice(0, at))
    const value = at < 0 ? '' : decodeParam(part.slice(at + 1))
    const held = flat[name]
    flat[name] = held === undefined ? value : [held, value].flat()
  }
  let parameters: Parameters = {}
  for (const [name, value] of Object.entries(flat)) {
    if (name !== '') parameters = merge(parameters, build(segmentsOf(name), value)) as Parameters
  }
  return compact(parameters) as Parameters
}

/** Splits `a[b][c]` into `a`, `[b]` and `[c]`. */
function segmentsOf(name: string): string[] {
  const first = name.indexOf('[')
  if (first < 0) return [name]
  const segments = first > 0 ? [name.slice(0, first)] : []
  let open = first
  for (let count = 0; open >= 0 && count < deepest; count++) {
    const close = closing(name, open)
    if (close < 0) return [...segments, `[${name.slice(open)}]`]
    segments.push(name.slice(open, close + 1))
    open = name.indexOf('[', close + 1)
  }
  return open < 0 ? segments : [...segments, `[${name.slice(open)}]`]
}

function closing(name: string, open: number): number {
  let level = 0
  for (let at = open; at < name.length; at++) {
    if (name[at] === '[') level++
    else if (name[at] === ']' && --level === 0) return at
  }
  return -1
}

/** Wraps a value into the arrays and objects that its segments stand for. */
function build(segments: readonly string[], value: Value): Value {
  return segments.reduceRight<Value>((inner, segment) => {
    if (segment === '[]') return grown.has(inner as object) ? inner : ([] as Value[]).concat(inner)
    const isBracket = segment.startsWith('[') && segment.endsWith(']')
    const key = isBracket ? segment.slice(1, -1) : segment
    if (key === '__proto__') return {}
    if (!isBracket || !/^(?:0|[1-9]\d*)$/.test(key)) return { [key]: inner }
    if (Number(key) >= longest) return grow({ [key]: inner }, Number(key))
    const list: Value[] = []
    list[Number(key)] = inner
    return list
  }, value)
}

/**
 * Objects that stand for an array, with its last index: one that is too long, or one whose elements
 * got names. What is put to them without a name goes behind it.
 */
const grown = new WeakMap<object, number>()

function grow(value: Parameters, last: number): Parameters {
  grown.set(value, last)
  return value
}

function merge(target: Value, source: Value): Value {
  if (source === '') return target
  if (typeof source === 'string') return append(target, source)
  if (typeof target === 'string') return prepend(target, source)
  if (Array.isArray(target) && Array.isArray(source)) return mergeLists(target, source)
  const merged: Parameters = { ...(target as Parameters) }
  for (const [key, value] of Object.entries(source)) {
    const held = ownValue(merged, key)
    define(merged, key, held === undefined ? value : merge(held, value))
  }
  const last = grown.get(target) ?? grown.get(source)
  if (last === undefined) return merged
  const indexes = Object.keys(merged).filter((key) => /^(?:0|[1-9]\d*)$/.test(key))
  return grow(merged, Math.max(last, ...indexes.map(Number)))
}

function append(target: Value, text: string): Value {
  if (typeof target === 'string') return [target, text]
  if (Array.isArray(target)) return limited(target.concat(text))
  const last = grown.get(target)
  if (last !== undefined) return grow({ ...target, [last + 1]: text }, last + 1)
  const both: Value[] = [target, text]
  grown.set(both, 1)
  return both
}

function prepend(text: string, source: Value[] | Parameters): Value {
  const last = Array.isArray(source) ? undefined : grown.get(source)
  if (last === undefined) return limited(([text] as Value[]).concat(source))
  const moved = Object.entries(source).map(([key, value]) => [Number(key) + 1, value])
  return grow({ 0: text, ...(Object.fromEntries(moved) as Parameters) }, last + 1)
}

function mergeLists(target: Value[], source: Value[]): Value {
  // A copy by `...` would have undefined where there is a gap.
  const list = target.slice()
  for (const key of Object.keys(source)) {
    const at = Number(key)
    const [held, value] = [list[at], source[at]]
    if (value === undefined) continue
    if (held === undefined) list[at] = value
    else if (typeof held === 'object' && typeof value === 'object') list[at] = merge(held, value)
    else list.push(value)
  }
  return limited(list)
}

/** An array that is too long is an object. */
function limited(list: Value[]): Value {
  if (list.length <= longest) return list
  return grow(Object.fromEntries(Object.entries(list)), list.length - 1)
}

/** Closes the gaps that indexes have left in arrays. */
function compact(value: Value): Value {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.filter((each) => each !== undefined).map(compact)
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, compact(each)]))
}
