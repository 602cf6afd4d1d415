import type { OutputUnit } from '@cfworker/json-schema'
import { fromToken } from '../../json/pointer.ts'
import type { Issue } from '../shared/invalid.ts'

/** Puts what a validator of JSON Schema says into words that go on from the field's name. */
export function toIssue({ keyword, instanceLocation, error }: OutputUnit): Issue {
  const path = instanceLocation.split('/').slice(1).map(toStep)
  const [pattern, word] = wordings[keyword] ?? [
    /^(?<all>.*)$/s,
    (all: string) => `is wrong: ${all}`,
  ]
  const [, first = '', second = ''] = pattern.exec(error) ?? []
  const missing = { required: first, dependentRequired: second }[keyword]
  return { path: missing === undefined ? path : [...path, missing], message: word(first, second) }
}

/** In draft 4 the limit itself may be excluded too. */
const limit = /than (or equal to)?\s*(.*)\.$/

/** By keyword: what to find in the validator's message, and what is said instead. */
const wordings: Record<string, [pattern: RegExp, word: (first: string, second: string) => string]> =
  {
    required: [/property "(.*)"\.$/s, () => 'is required'],
    dependentRequired: [
      /has "(.*)" but does not have "(.*)"/s,
      (first) => `is required with ${first}`,
    ],
    false: [/^/, () => 'is not allowed'],
    type: [
      /Expected (.*)\.$/s,
      (types) => `has to be ${types.replace(/"(\w+)"/g, withArticle).replaceAll(', ', ' or ')}`,
    ],
    enum: [/any of \[(.*)\]\.$/s, (values) => `has to be one of ${toList(values)}`],
    const: [/match (.*)\.$/s, (value) => `has to be ${value}`],
    minLength: [/< (.*)\)/, (count) => `has to have ${count} or more characters`],
    maxLength: [/> (.*)\)/, (count) => `has to have ${count} or fewer characters`],
    minItems: [/< (.*)\)/, (count) => `has to have ${count} or more elements`],
    maxItems: [/> (.*)\)/, (count) => `has to have ${count} or fewer elements`],
    minProperties: [/least (\d+)/, (count) => `has to have ${count} or more properties`],
    maxProperties: [/least (\d+)/, (count) => `has to have ${count} or fewer properties`],
    minimum: [limit, (or, least) => `has to be ${or ? 'above' : 'at least'} ${least}`],
    maximum: [limit, (or, most) => `has to be ${or ? 'below' : 'at most'} ${most}`],
    exclusiveMinimum: [limit, (_, least) => `has to be above ${least}`],
    exclusiveMaximum: [limit, (_, most) => `has to be below ${most}`],
    multipleOf: [/of (.*)\.$/, (step) => `has to be a multiple of ${step}`],
    pattern: [/^/, () => 'has the wrong form'],
    format: [/format "(.*)"/, (name) => `has to be in the format "${name}"`],
    uniqueItems: [/^/, () => 'holds an element twice'],
    contains: [/^/, () => 'lacks an element of the required form'],
    anyOf: [/^/, () => 'has none of the allowed forms'],
    oneOf: [/^/, () => 'has to have exactly one of the allowed forms'],
    not: [/^/, () => 'has a form that is not allowed'],
  }

function toList(values: string): string {
  const list = JSON.parse(`[${values}]`) as unknown[]
  return list.map((value) => JSON.stringify(value)).join(', ')
}

function withArticle(_: string, type: string): string {
  if (type === 'null') return type
  return /^[aio]/.test(type) ? `an ${type}` : `a ${type}`
}

/** One step of the validator's pointers, whose escapes are those of RFC 6901 and of URIs. */
function toStep(step: string): string {
  return fromToken(decodeURI(step))
}
