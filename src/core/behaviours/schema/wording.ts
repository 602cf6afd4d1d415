import { withArticle } from '../../text/article.ts'

/** Returns the message for a value that fails a keyword, to follow a field name: `is required`. */
export function toWords(keyword: string, expected: unknown): string {
  return wordings[keyword]?.(expected) ?? `does not match "${keyword}"`
}

const wordings: Readonly<Record<string, (expected: unknown) => string>> = {
  required: () => 'is required',
  dependentRequired: (property) => `is required with ${String(property)}`,
  false: () => 'is not allowed',
  type: (types) => `has to be ${(types as string[]).map(typeWithArticle).join(' or ')}`,
  enum: (values) => `has to be one of ${(values as unknown[]).map(toText).join(', ')}`,
  const: (value) => `has to be ${toText(value)}`,
  minLength: (count) => `has to have ${toText(count)} or more characters`,
  maxLength: (count) => `has to have ${toText(count)} or fewer characters`,
  minItems: (count) => `has to have ${toText(count)} or more elements`,
  maxItems: (count) => `has to have ${toText(count)} or fewer elements`,
  minProperties: (count) => `has to have ${toText(count)} or more properties`,
  maxProperties: (count) => `has to have ${toText(count)} or fewer properties`,
  minimum: (limit) => `has to be at least ${toText(limit)}`,
  maximum: (limit) => `has to be at most ${toText(limit)}`,
  exclusiveMinimum: (limit) => `has to be above ${toText(limit)}`,
  exclusiveMaximum: (limit) => `has to be below ${toText(limit)}`,
  multipleOf: (step) => `has to be a multiple of ${toText(step)}`,
  pattern: () => 'has the wrong form',
  format: (name) => `has to be in the format "${String(name)}"`,
  uniqueItems: () => 'holds an element twice',
  contains: () => 'lacks an element of the required form',
  minContains: (count) => `has to have ${toText(count)} or more elements of the required form`,
  maxContains: (count) => `has to have ${toText(count)} or fewer elements of the required form`,
  anyOf: () => 'has none of the allowed forms',
  oneOf: () => 'has to have exactly one of the allowed forms',
  not: () => 'has a form that is not allowed',
}

function toText(value: unknown): string {
  return JSON.stringify(value)
}

function typeWithArticle(type: string): string {
  return type === 'null' ? type : withArticle(type)
}
