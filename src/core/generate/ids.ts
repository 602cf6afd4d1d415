import { define, type Json, type JsonRecord, ownValue } from '../json/json.ts'
import type { Shape } from '../shape/shapes.ts'
import type { Statistics } from '../shape/statistics.ts'
import { randomText } from '../time/random.ts'
import { toSlug } from '../text/slug.ts'
import { findDerivation } from './derived.ts'
import { type Draws, textOf } from './draw.ts'
import { drawFormat, drawText } from './draw-scalar.ts'
import { englishWords } from './words.ts'

/**
 * Creates the function that gives a generated record its id, in the form of the examples: the next integer, a random
 * text of the same format, a slug of another field, or a text with the same prefix (`cus_…`).
 */
export function createIds(
  shape: Shape,
  examples: readonly JsonRecord[],
  draws: Draws,
  taken: Set<string>,
): (number: number, record: JsonRecord) => JsonRecord {
  const { idField = 'id' } = shape
  const toId = createId(shape, examples, draws, taken)
  return (number, record) => {
    const id = toId(number, record)
    taken.add(textOf(id))
    const own = { ...record }
    if (Object.hasOwn(own, idField)) {
      define(own, idField, id)
      return own
    }
    return { [idField]: id, ...own }
  }
}

function createId(
  { idField = 'id', statistics, schema }: Shape,
  examples: readonly JsonRecord[],
  draws: Draws,
  taken: Set<string>,
): (number: number, record: JsonRecord) => Json {
  const ids: Statistics | undefined = ownValue(statistics.objects?.fields ?? {}, idField)
  const property = (
    schema['properties'] as Record<string, JsonRecord & { type?: string; format?: string }>
  )?.[idField]
  const isText = ids ? ids.strings !== undefined : property?.type === 'string'
  if (!isText) {
    const highest = ids?.numbers?.max ?? 0
    return (number) => highest + number - examples.length + 1
  }
  const format = ids?.strings?.format ?? property?.format
  const derivation = findDerivation(examples, idField)
  const known = examples.map((record) => textOf(record[idField]))
  const [, prefix = '', rest = ''] = /^([a-z]+[_-])([A-Za-z\d]{6,})$/.exec(known[0] ?? '') ?? []
  const isPrefixed = prefix !== '' && known.every((id) => id.startsWith(prefix))
  return (number, record) => {
    const random = draws(number, '\nid')
    const draw = (): string => {
      const byFormat = format === undefined ? undefined : ownValue(drawFormat, format)
      if (property?.['pattern'] !== undefined)
        return drawText(property, idField, random, englishWords)
      if (byFormat) return byFormat(random, englishWords)
      if (derivation) return derivation.derive(textOf(record[derivation.source]))
      if (isPrefixed) return prefix + randomText(random, rest.length)
      const name = record['name'] ?? record['title'] ?? record['label']
      return typeof name === 'string' && known.length > 0 && known.every(isSlug)
        ? toSlug(name)
        : randomText(random)
    }
    const id = draw()
    for (let times = 2; ; times++) {
      const isRandom = format !== undefined || (property?.['pattern'] !== undefined && times < 1000)
      const own = times === 2 ? id : isRandom ? draw() : `${id}-${times - 1}`
      if (own !== '' && !taken.has(own)) return own
    }
  }
}

function isSlug(id: string): boolean {
  return /^[a-z][a-z\d]*(?:-[a-z\d]+)*$/.test(id) && id === toSlug(id)
}
