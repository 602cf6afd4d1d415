import { isRecord, type Json } from '../../json/json.ts'

/**
 * Creates the template of a text that several responses have, such as `#/$resource`: the text with variables if
 * that is the same for all responses, otherwise the text itself if all responses have the same text; undefined in
 * any other case.
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
export type TemplateValues = readonly (readonly [variable: string, value: Json])[]

/** A text and the values of the variables in its response. */
export type TextSample = readonly [text: string, values: TemplateValues]

/** Creates a template of JSON data, in which the values of variables become variables, also within texts. */
export function toTemplateOf(data: Json, values: TemplateValues): Json {
  if (typeof data === 'string') return withVariables([data, values])
  if (Array.isArray(data)) return data.map((inner) => toTemplateOf(inner, values))
  if (!isRecord(data)) return values.find(([, value]) => value === data)?.[0] ?? data
  const members = Object.entries(data)
  return Object.fromEntries(
    members.map(([key, inner]) => [escapeTemplate(key), toTemplateOf(inner, values)]),
  )
}

/** Replaces each whole word that is the value of a variable with the variable. */
function withVariables([text, values]: TextSample): string {
  const words = values.flatMap(([variable, value]): [string, string][] =>
    typeof value === 'string' && value !== '' ? [[value, variable]] : [],
  )
  if (words.length === 0) return escapeTemplate(text)
  const all = words.map(([word]) => word.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`))
  const parts = text.split(new RegExp(String.raw`(?<![\w-])(${all.join('|')})(?![\w-])`))
  // Every second part is a word.
  return parts
    .map(
      (part, at) =>
        (at % 2 === 0 ? undefined : words.find(([word]) => word === part)?.[1]) ??
        escapeTemplate(part),
    )
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
