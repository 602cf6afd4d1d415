import type { JsonSchema } from '../../types/json-schema.ts'
import type { Parameter } from '../../types/openapi.ts'
import type { DescribedOperation } from '../contract/description.ts'
import { fieldParameters, query } from '../shared/describe-parameters.ts'
import type { ParameterName } from '../rest/spelling.ts'
import { type Pattern, plainName } from './pattern.ts'
import type { Settings } from './settings.ts'

/** Describes the query parameters of a list for API documents (OpenAPI), by the names that the options give them. */
export function listParameters(operation: DescribedOperation, settings: Settings): Parameter[] {
  const { first } = settings.pages
  const number = (minimum: number): JsonSchema => ({ type: 'integer', minimum })
  const { always, invalid } = settings.pages
  // Where an invalid number is the first page, any text is allowed.
  const page = invalid === 'first' ? undefined : number(first)
  const size = invalid === 'first' ? undefined : number(1)
  const rows: [name: ParameterName, description: string, schema?: JsonSchema | undefined][] = [
    ['q', 'Records with this text in any value, ignoring case.'],
    ['where', 'A filter as JSON: a tree of `and`, `or`, `not` and fields.'],
    ['sort', sortText(settings)],
    ['order', '`asc` or `desc`, for each field to sort by.'],
    ['page', `The number of a page, from ${first}.`, page],
    ['perPage', 'The number of records of a page.', size],
    ['limit', 'The number of records.', size],
    [
      'start',
      'The index of the first record, from 0.',
      invalid === 'error' ? number(0) : undefined,
    ],
    ['end', 'The index after the last record.', invalid === 'error' ? number(0) : undefined],
    ['cursor', 'An empty text for the first page; the response has the cursor of the next.'],
    ['count', 'Whether the response says the number of all records.', { type: 'boolean' }],
  ]
  const own = rows.flatMap(([name, description, schema]) =>
    settings.parameters[name].flatMap((pattern) => {
      const written = nameOf(pattern)
      const isPaged = always && name === 'page'
      const words = isPaged ? `${description} The first page by default.` : description
      return written === undefined ? [] : [query(written, words, schema)]
    }),
  )
  return [
    ...filterParameters(operation, own, settings),
    ...own,
    ...presentation(operation, settings),
  ]
}

/** Describes the parameters that embed relations and pick fields, also of a single record. */
export function presentation(operation: DescribedOperation, { parameters }: Settings): Parameter[] {
  const { resource, isPlain } = operation
  const names = resource.relations.map(({ name }) => `\`${name}\``).join(', ')
  const embed = names === '' ? [] : parameters.embed
  const fields = isPlain ? [] : parameters.fields
  const last = resource.name.slice(resource.name.lastIndexOf('/') + 1)
  return [
    ...embed.flatMap((one) => {
      const name = nameOf(one)
      return name === undefined ? [] : [query(name, `Relations to embed: ${names}.`)]
    }),
    ...fields.flatMap((one) => {
      const name = nameOf(one, last)
      return name === undefined ? [] : [query(name, 'The fields to send, separated by commas.')]
    }),
  ]
}

/** Returns the name of a parameter; undefined for a name with variables that are not known. */
export function nameOf({ text }: Pattern, resource = ''): string | undefined {
  const [name = ''] = text.split('=', 1)
  return plainName(name.replace('$resource', () => resource))
}

function sortText({ parameters }: Settings): string {
  const [pattern] = parameters.sort
  return pattern?.text.includes('$')
    ? `A field to sort by and \`asc\` or \`desc\`, as in \`${pattern.text}\`; can be repeated.`
    : 'Fields to sort by; a minus sorts in descending order: `-views,title`.'
}

/** The operators that filters of a field are described with, by their names in `rest`. */
const described = ['gte', 'lte', 'contains']

/** Describes the parameters that filter by fields, if their names contain the field. */
function filterParameters(
  { resource }: DescribedOperation,
  others: readonly Parameter[],
  { filters, filterGroups, operators }: Settings,
): Parameter[] {
  const reserved = new Set(others.map(({ name }) => name))
  const plain = filters.find((one) => one.text.includes('$field') && !one.text.includes('$op'))
  const compared = filters.find((one) => one.text.includes('$op') && !one.text.includes('='))
  const wireNames = described.map((name) =>
    Object.keys(operators).find((one) => operators[one] === name && one !== ''),
  )
  // The parts of names that `fieldParameters` makes, as no field has them.
  const [least = '', most = '', part = ''] = described.map((name) => `\0${name}`)
  const fields = fieldParameters(resource, others, { range: [least, most], text: [part] })
  const byField = fields.flatMap((one): Parameter[] => {
    const [field = '', operator] = one.name.split('\0')
    const wire = operator === undefined ? '' : wireNames[described.indexOf(operator)]
    const pattern = operator === undefined ? plain : compared
    if (!pattern || wire === undefined || pattern.text.includes('=')) return []
    const name = pattern.text.replace('$field', () => field).replace('$op', () => wire)
    return reserved.has(name) ? [] : [{ ...one, name }]
  })
  const byValue = [...filters, ...filterGroups].flatMap((pattern): Parameter[] => {
    const name = pattern.text.includes('=') ? nameOf(pattern) : undefined
    if (name === undefined) return []
    return [query(name, `A filter, as in \`${pattern.text}\`; can be repeated.`)]
  })
  return [...byField, ...byValue]
}
