import { phraseOf } from '../../errors/status.ts'
import { singularOf } from '../../text/plurals.ts'
import type { ParsedExchange } from '../parse/parsed-exchange.ts'
import type { ResourcePaths } from '../recognize/resource-paths.ts'

/** The values that variables of templates have in a response, the most telling first. */
export type TemplateValues = readonly (readonly [variable: string, value: string])[]

/** The values of the template's variables for the error of an exchange. */
export function errorValues(
  {
    method,
    path,
    segments,
    status,
  }: Pick<ParsedExchange, 'method' | 'path' | 'segments' | 'status'>,
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
    ...(resourcePath?.kind === 'member' ? ([['$id', resourcePath.id]] as [string, string][]) : []),
    ['$model', toModel(singular)],
    ['$resource', name],
    ['$singular', singular],
    ['$method', method],
  ]
  return values.filter(([, value]) => value !== '')
}

/** The name of the class that frameworks give to the records of a resource: `BlogPost` of `blog_post`. */
function toModel(singular: string): string {
  return singular
    .split(/[_-]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

/** A text and the values of the variables in its response. */
export type TextSample = readonly [text: string, values: TemplateValues]

/**
 * The template of a text that several responses have: with variables where the values of every response agree,
 * else the text that all share; undefined if neither fits.
 */
export function toTextTemplate(texts: readonly TextSample[]): string | undefined {
  const [first] = texts
  if (!first) return undefined
  const template = withVariables(first)
  if (texts.every((one) => withVariables(one) === template)) return template
  const [text] = first
  return texts.every(([other]) => other === text) ? escapeTemplate(text) : undefined
}

/** Replaces the values of variables by the variables, where the values are whole words. */
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

/** A literal text in a template: a dollar sign is doubled. */
export function escapeTemplate(text: string): string {
  return text.replaceAll('$', '$$$$')
}
