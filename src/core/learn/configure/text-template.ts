import { phraseOf } from '../../errors/status.ts'
import { isRecord, type Json } from '../../json/json.ts'
import { singularOf } from '../../text/plurals.ts'
import type { ParsedExchange } from '../parse-exchange.ts'
import type { ResourcePaths } from '../recognize/resource-paths.ts'

/**
 * Creates the template of a text that several responses have, such as `No $singular with id $id`: the text with
 * variables if that is the same for all responses, otherwise the text itself if all responses have the same
 * text; undefined in any other case.
 */
export function toTextTemplate(texts: readonly TextSample[]): string | undefined {
  const [first] = texts
  if (!first) return undefined
  const template = withVariables(first)
  if (texts.every((sample) => withVariables(sample) === template)) return template
  const [text] = first
  return texts.every(([other]) => other === text) ? escapeTemplate(text) : undefined
}

/** The values that variables of templates have in a response, the most specific variable first. */
export type TemplateValues = readonly (readonly [variable: string, value: string])[]

/** Returns the values that the variables of a template have in an error response. */
export function errorValues(
  { method, path, segments, status }: ParsedExchange,
  resourcePaths: ResourcePaths,
): TemplateValues {
  const resourcePath = resourcePaths.find(segments)
  const name =
    resourcePath?.collection.split('/').at(-1) ??
    segments.findLast((segment) => /^[A-Za-z][\w-]*$/.test(segment)) ??
    ''
  const singular = singularOf(name)
  const values: [string, string][] = [
    ['$route', path.slice(1)],
    ['$title', phraseOf(status)],
    ['$id', resourcePath?.kind === 'member' ? resourcePath.id : ''],
    ['$model', toModel(singular)],
    ['$resource', name],
    ['$singular', singular],
    ['$method', method],
  ]
  return values.filter(([, value]) => value !== '')
}

/**
 * Returns the name of the class that frameworks give to the records of a resource: `BlogPost` for `blog_post`.
 */
function toModel(singular: string): string {
  return singular
    .split(/[_-]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

/** A text and the values of the variables in its response. */
export type TextSample = readonly [text: string, values: TemplateValues]

/** Replaces each whole word that is the value of a variable with the variable. */
function withVariables([text, values]: TextSample): string {
  const all = values.map(([, value]) => value.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
  const words = new RegExp(String.raw`(?<![\w-])(?:${all.join('|')})(?![\w-])`, 'g')
  let result = ''
  let end = 0
  for (const { 0: word, index } of text.matchAll(words)) {
    const variable = values.find(([, value]) => value === word)?.[0] ?? ''
    result += escapeTemplate(text.slice(end, index)) + variable
    end = index + word.length
  }
  return result + escapeTemplate(text.slice(end))
}

/** Converts a JSON value to a literal of a template: dollar signs in its keys and texts are doubled. */
export function toLiteral(value: Json): Json {
  if (typeof value === 'string') return escapeTemplate(value)
  if (Array.isArray(value)) return value.map(toLiteral)
  if (!isRecord(value)) return value
  const entries = Object.entries(value)
  return Object.fromEntries(entries.map(([key, inner]) => [escapeTemplate(key), toLiteral(inner)]))
}

/** Converts a text to a literal of a template: dollar signs are doubled. */
export function escapeTemplate(text: string): string {
  return text.replaceAll('$', '$$$$')
}
