import { define, isRecord } from '../../json/json.ts'
import type { Template } from './options.ts'

/**
 * Creates a JSON value from a template, such as `{ data: '$items', total: '$total' }`, by replacing its
 * variables. A key that ends with `?` is left out if a variable in its value is null, and the members of the
 * value of the key `...` are spread.
 */
export function fill(template: Template, lookup: Lookup): unknown {
  if (typeof template === 'string') return fillText(template, lookup)
  if (Array.isArray(template)) return template.map((one: Template) => fill(one, lookup))
  if (!isRecord(template)) return template
  const filled: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(template)) {
    if (key === '...') {
      const value = fill(inner, lookup)
      if (isRecord(value)) for (const name of Object.keys(value)) define(filled, name, value[name])
      continue
    }
    const isOptional = key.endsWith('?')
    if (isOptional && variablesOf(inner).some((name) => isNil(lookup(name)))) continue
    define(filled, toText(isOptional ? key.slice(0, -1) : key, lookup), fill(inner, lookup))
  }
  return filled
}

/** Replaces the variables of a text by their values as text. */
export function toText(template: string, lookup: Lookup): string {
  return template.replaceAll(variable, (_, name: string) => {
    if (name === '$') return '$'
    const value = lookup(name)
    if (typeof value === 'string') return value
    return value === null || value === undefined ? '' : JSON.stringify(value)
  })
}

/** Returns the names of all variables in a template, also in its keys. */
export function variablesOf(template: Template): string[] {
  if (typeof template === 'string') {
    return Array.from(template.matchAll(variable), ([, name = '']) => name).filter(
      (name) => name !== '$',
    )
  }
  if (Array.isArray(template)) return template.flatMap(variablesOf)
  if (!isRecord(template)) return []
  return Object.entries(template).flatMap(([key, inner]) => [
    ...variablesOf(key),
    ...variablesOf(inner),
  ])
}

/** Returns the variable that a text consists of: `items` for `'$items'`. */
export function onlyVariable(template: Template): string | undefined {
  return typeof template === 'string' ? /^\$([A-Za-z]+)$/.exec(template)?.[1] : undefined
}

/** Returns the value of a variable, without its dollar sign; null for a variable without a value. */
export type Lookup = (variable: string) => unknown

/** A variable in a text: `$name`. A second dollar sign escapes the first. */
const variable = /\$(\$|[A-Za-z]+)/g

function fillText(template: string, lookup: Lookup): unknown {
  const name = onlyVariable(template)
  return name === undefined ? toText(template, lookup) : (lookup(name) ?? null)
}

function isNil(value: unknown): boolean {
  return value === null || value === undefined
}
