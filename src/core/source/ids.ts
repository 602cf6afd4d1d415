import { isRecord, type Json, type JsonRecord } from '../json/json.ts'
import { scalarText } from '../json/scalar-text.ts'
import { type Random, randomUuid } from '../time/random.ts'
import type { BoundCollection } from './binding.ts'
import { valueTypeOf } from '../json/flat-schema.ts'
import type { Tools } from './project.ts'

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * Draws the id of a new record in the form of the ids that are there, else of the example in the document: the next
 * integer, a UUID, or a text with the same prefix and length (`cus_NffrFeUfNV2Hib`).
 */
export function drawId(
  { idSchema, idField }: BoundCollection,
  known: readonly JsonRecord[],
  random: Random,
  tools: Tools,
): string | number {
  const taken = new Set(known.map((record) => scalarText(record[idField])))
  const flat = idSchema && tools.flatten(idSchema)
  const type = flat ? valueTypeOf(flat) : 'string'
  const numbers = known.map((record) => record[idField]).filter((id) => Number.isSafeInteger(id))
  if (
    type === 'integer' ||
    type === 'number' ||
    (!flat?.types && numbers.length === known.length && numbers.length > 0)
  ) {
    let next = Math.max(
      Number(flat?.limits['minimum'] ?? 1),
      ...numbers.map((id) => Number(id) + 1),
    )
    while (taken.has(String(next))) next++
    return next
  }
  const sample = known.findLast((record) => typeof record[idField] === 'string')?.[idField]
  const example = sample ?? exampleOf(flat?.limits)
  for (let tries = 0; tries < 50; tries++) {
    const id = isText(example) ? vary(example, random) : undefined
    const isValid =
      id !== undefined &&
      (typeof flat?.limits['pattern'] !== 'string' ||
        new RegExp(flat.limits['pattern'], 'u').test(id))
    const text = isValid
      ? id
      : idSchema
        ? scalarText(
            tools.draw(idSchema, { seed: random() * 2 ** 32, name: idField, examples: 'never' }),
          )
        : String(taken.size + 1 + tries)
    if (text !== '' && !taken.has(text)) return text
  }
  return randomUuid(random)
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== ''
}

function exampleOf(limits: JsonRecord | undefined): Json | undefined {
  if (!isRecord(limits)) return undefined
  const { example, examples } = limits
  return example ?? (Array.isArray(examples) ? examples[0] : undefined)
}

/** Draws a text like an id; undefined for one that is a word or a name. */
function vary(example: string, random: Random): string | undefined {
  if (uuid.test(example)) return randomUuid(random)
  const [, prefix = '', tail = ''] = /^(.*?[_\-:.])?([A-Za-z\d]+)$/s.exec(example) ?? []
  if (!/\d/.test(tail)) return undefined
  const draw = (set: string): string => set.charAt(Math.floor(random() * set.length))
  return (
    prefix +
    tail.replaceAll(/./g, (char) =>
      /\d/.test(char)
        ? draw('0123456789')
        : /[a-f]/.test(char) && /^[\da-f]+$/.test(tail)
          ? draw('abcdef0123456789')
          : draw(/[a-z]/.test(char) ? 'abcdefghijklmnopqrstuvwxyz' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'),
    )
  )
}
