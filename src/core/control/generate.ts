import { type Check, checkOptions, isText } from '../errors/check.ts'
import type { ControlAnswer, ControlRequest, Controls } from './contract.ts'

/** `POST /__mock/generate`: adds or previews records like those of a collection; a request imports the generator. */
export const generateControls: Controls = { generate: { POST: generate } }

interface GenerateInput {
  collection: string
  /** The number of new records. */
  count: number
  /** @default 1 */
  seed?: number | string
  /** Whether the records are only returned. @default false */
  preview?: boolean
}

const generateChecks: Readonly<Record<keyof GenerateInput, Check>> = {
  collection: isText,
  count: [
    (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 10_000,
    'a whole number from 1 to 10000',
  ],
  seed: [(value) => typeof value === 'string' || Number.isFinite(value), 'a number or a text'],
  preview: [(value) => typeof value === 'boolean', 'true or false'],
}

async function generate({ mock, input }: ControlRequest): Promise<ControlAnswer> {
  checkOptions('the records to generate', input, generateChecks, ['collection', 'count'])
  const { collection: name, count, seed = 1, preview = false } = input as unknown as GenerateInput
  // Throws a 404 for an unknown name, before the generator is imported.
  mock.store.collection(name)
  const { createGeneratorOf } = await import('../generate/of-mock.ts')
  // Without a wait in between, no other request can take the new ids.
  const learnedFrom = mock.store.collection(name).size
  const generated = createGeneratorOf(mock, { seed }).generate({ [name]: learnedFrom + count })
  const records = (generated[name] ?? []).slice(learnedFrom)
  if (preview) return { value: { records, learnedFrom } }
  return { status: 201, value: { records: mock.store.insertAll(name, records), learnedFrom } }
}
