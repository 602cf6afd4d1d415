import { baseName } from '../../text/foreign-keys.ts'
import { singularOf } from '../../text/plurals.ts'
import { ownValue, type JsonRecord } from '../../json/json.ts'
import type { RenderContext } from '../contract/dialect.ts'
import { toStyle } from './key-style.ts'
import type { Lookup } from './template.ts'

/**
 * Returns the variables that stand for the requested resource and the URL of the request in all templates, such
 * as `$resource`, `$model` and `$self`, each as a function that computes its value.
 */
export function resourceVariables(context: RenderContext): Record<string, () => unknown> {
  const name = (): string => baseName(resourceOf(context))
  return {
    resource: name,
    singular: () => toStyle(singularOf(name()), 'camelCase'),
    model: () => toStyle(singularOf(name()), 'PascalCase'),
    method: () => context.method,
    path: () => context.origin + context.path,
    route: () => context.path.slice(1),
    self: () => selfOf(context),
  }
}

/** Returns the URL of the request. */
function selfOf({ origin, path, params }: RenderContext): string {
  const search = params.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')
  return origin + path + (search === '' ? '' : `?${search}`)
}

/** Returns the resource of a request; for a path that names no resource, the last segment that may be a name. */
function resourceOf({ target, path }: RenderContext): string {
  if (target) return target.resource.name
  return path.split('/').findLast((segment) => /^[A-Za-z][\w-]*$/.test(segment)) ?? ''
}

/** Returns the URL of a record, below its collection. */
export function urlOf(record: JsonRecord, idField: string, context: RenderContext): string {
  const { origin, service, target, path } = context
  if (!target) return origin + path
  const { name } = target.resource
  const id = ownValue(record, idField)
  const base = `${origin}${service?.base ?? ''}/${encodeURIComponent(name).replaceAll('%2F', '/')}`
  return typeof id === 'string' || typeof id === 'number'
    ? `${base}/${encodeURIComponent(String(id))}`
    : base
}

/** Creates the lookup of variables; a function is called when its variable is used. */
export function toLookup(variables: Readonly<Record<string, () => unknown>>): Lookup {
  return (name) => ownValue(variables, name)?.()
}
