import { createRequire } from 'node:module'

import { Ajv, type AnySchemaObject } from 'ajv'
import formats from 'ajv-formats'
import { expect } from 'vitest'

import { type Har, type HarEntry, toHar } from '../src/har.ts'
import type { Mock } from '../src/index.ts'

const require = createRequire(import.meta.url)
const ajv = new Ajv({ strict: false })
ajv.addMetaSchema(require('ajv/dist/refs/json-schema-draft-06.json') as AnySchemaObject)
formats.default(ajv)
const schemas = require('har-schema') as Record<string, AnySchemaObject>
for (const schema of Object.values(schemas)) ajv.addSchema(schema)

/** Expects a value to be an archive by the JSON Schemas of HAR 1.2. */
export function expectHar(value: unknown): asserts value is Har {
  const isValid = ajv.validate('har.json#', value)
  expect(ajv.errors).toBe(null)
  expect(isValid).toBe(true)
}

/** The entries of the archive of a mock, which is valid and survives JSON. */
export function harOf(mock: Mock, options?: Parameters<typeof toHar>[1]): HarEntry[] {
  const har = toHar(mock, options)
  expectHar(har)
  expect(JSON.parse(JSON.stringify(har))).toEqual(har)
  return har.log.entries
}
