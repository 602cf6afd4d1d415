import type { SchemaObject } from '../../types/json-schema.ts'
import { toLiteral } from './literals.ts'

/** Writes lines as a JSDoc comment of a generated type; returns an empty text if there are no lines. */
export function toComment(lines: readonly string[], indent: string): string {
  const safe = lines.flatMap((line) => line.replaceAll('*/', '*\\/').split(/\r?\n/))
  if (safe.length === 0) return ''
  if (safe.length === 1) return `${indent}/** ${safe[0]} */\n`
  return `${indent}/**\n${safe.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}

/**
 * Returns the lines of the comment of a field: what a schema says that a TypeScript type cannot express, such
 * as the format or the default.
 */
export function describeField(schema: SchemaObject): string[] {
  const { description, format, pattern, deprecated, readOnly } = schema
  return [
    ...(typeof description === 'string' ? [description] : []),
    ...(typeof format === 'string' ? [`Format: ${format}.`] : []),
    ...(typeof pattern === 'string' ? [`Pattern: \`${pattern}\`.`] : []),
    ...(readOnly === true ? ['Requests cannot set it.'] : []),
    ...(schema['default'] === undefined ? [] : [`@default ${toLiteral(schema['default'])}`]),
    ...(deprecated === true ? ['@deprecated'] : []),
  ]
}
