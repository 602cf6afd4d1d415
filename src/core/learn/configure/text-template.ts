import { requestVariables } from '../../dialects/rest-names/variables.ts'
import type { Variable } from '../../text/template.ts'
import type { RequestFacts } from '../../dialects/rest-names/facts.ts'
import { isRecord, type Json } from '../../json/json.ts'
import type { ParsedExchange } from '../parse-exchange.ts'

/** Creates the template that all texts share, or the text itself; otherwise undefined. */
export function toTextTemplate(texts: readonly TextSample[]): string | undefined {
  const templates = new Set(
    texts.map(([text, facts]) => withVariables(text, valuesOf(requestVariables, facts))),
  )
  const [template = ''] = templates
  // No URL of the real API, which a client would follow.
  if (texts.some(([, { origin }]) => template.includes(origin))) return undefined
  if (templates.size === 1) return template
  const [text, other] = new Set(texts.map(([one]) => one))
  return text === undefined || other !== undefined ? undefined : escapeTemplate(text)
}

/** A text and the request whose response has the text. */
export type TextSample = readonly [text: string, facts: RequestFacts]

/** Returns the facts of a request that the variables of all templates are computed from. */
export function toRequestFacts(
  { method, origin, path, query }: ParsedExchange,
  resource: string,
): RequestFacts {
  return { resource, method, origin, path, params: query }
}

/** The texts and numbers that variables of templates have in a response, the longest first. */
export type TemplateValues = readonly (readonly [variable: string, value: string | number])[]

/** Computes the values of variables, for templates in which these values become variables. */
export function valuesOf<Facts>(
  variables: readonly Variable<Facts>[],
  facts: Facts,
): TemplateValues {
  const values = variables.flatMap(({ name, value }): [string, string | number][] => {
    const computed = value(facts)
    const isUsable = typeof computed === 'number' || (typeof computed === 'string' && computed)
    return isUsable ? [[`$${name}`, computed]] : []
  })
  return values.toSorted(([, a], [, b]) => String(b).length - String(a).length)
}

/** Creates a template of JSON data, in which the values of variables become variables, also within texts. */
export function toTemplateOf(data: Json, values: TemplateValues): Json {
  if (typeof data === 'string') return withVariables(data, values)
  if (Array.isArray(data)) return data.map((inner) => toTemplateOf(inner, values))
  if (!isRecord(data)) return values.find(([, value]) => value === data)?.[0] ?? data
  const members = Object.entries(data)
  return Object.fromEntries(
    members.map(([key, inner]) => [toKeyTemplate(key, values), toTemplateOf(inner, values)]),
  )
}

/** A key that names the resource, such as `article` in `{ "errors": { "article": [ … ] } }`, becomes a variable. */
function toKeyTemplate(key: string, values: TemplateValues): string {
  const named = values.find(
    ([name, value]) => value === key && /^\$(?:singular|resource)$/.test(name),
  )
  return named?.[0] ?? escapeTemplate(key)
}

/** Creates a template of a text, in which the values of variables become variables. */
export function withVariables(text: string, values: TemplateValues): string {
  const words = values.filter(([, value]) => typeof value === 'string')
  if (words.length === 0) return escapeTemplate(text)
  const all = words.map(([, word]) =>
    String(word).replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`),
  )
  const parts = text.split(new RegExp(String.raw`(?<![\w-])(${all.join('|')})(?![\w-])`))
  // Every second part is a word.
  return parts
    .map((part, index) => {
      const variable = index % 2 === 0 ? undefined : words.find(([, word]) => word === part)?.[0]
      return variable ?? escapeTemplate(part)
    })
    .join('')
}

/** Converts a JSON value to a literal of a template: dollar signs in its keys and texts are doubled. */
export function toLiteral(value: Json): Json {
  return toTemplateOf(value, [])
}

/** Converts a text to a literal of a template: dollar signs are doubled. */
export function escapeTemplate(text: string): string {
  return text.replaceAll('$', '$$$$')
}
