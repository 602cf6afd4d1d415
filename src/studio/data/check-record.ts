import { Validator, type Schema as JsonSchema } from '@cfworker/json-schema'
import { fromToken } from '../../core/json/pointer.ts'
import type { Row } from '../app/state.ts'
import type { Schema } from './ask-fields.ts'

/**
 * Checks a record against the JSON Schema of its collection. Returns the error of each field by name; an error
 * about the whole record is under the empty name. The mock itself fills in a missing id and read-only fields.
 */
export function checkRecord(record: Row, schema: Schema, idField: string): Record<string, string> {
  const { properties = {}, required = [] } = schema
  const isGiven = (name: string): boolean =>
    name !== idField && !(Object.hasOwn(properties, name) && properties[name]?.readOnly === true)
  const relaxed = { ...schema, required: required.filter(isGiven) }
  let wrong: Record<string, string> = {}
  try {
    const validator = new Validator(relaxed as JsonSchema, '2020-12', false)
    for (const { instanceLocation, keyword, error } of validator.validate(record).errors) {
      const [, path = ''] = instanceLocation.split(/^#\/?/)
      const missing = keyword === 'required' ? /"(.*)"/.exec(error)?.[1] : undefined
      const steps = [...path.split('/'), ...(missing === undefined ? [] : [missing])]
      const [name = '', ...inner] = steps
        .filter(Boolean)
        .map((step) => fromToken(decodeURIComponent(step)))
      // A keyword such as `properties` repeats the errors below it.
      if (name === '' || Object.hasOwn(wrong, name) || /^(?:properties|items|\$ref)$/.test(keyword))
        continue
      const place = inner.length > 0 ? `${inner.join('.')}: ` : ''
      wrong = {
        ...wrong,
        [name]: place + (missing === undefined ? inWords(error) : 'is required.'),
      }
    }
  } catch {
    // A schema that refers to others, or has a broken pattern, cannot be checked in a page.
    return {}
  }
  return wrong
}

/** The error of the validator about a value, as people say it. */
function inWords(error: string): string {
  return error
    .replace(/^Instance does not match any of \[(.*)\]\.$/, 'is none of $1.')
    .replace(/^Instance type ".*" is invalid\. Expected "(.*)"\.$/, 'must be of the type $1.')
    .replace(/^String does not match format "(.*)"\.$/, 'is not of the format $1.')
    .replace(/^String does not match pattern\.$/, 'does not match the pattern.')
}
