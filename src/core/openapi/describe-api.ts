import type { DescribedMock } from './described-mock.ts'

/**
 * Writes the description in the `info` of an OpenAPI document: what the mock is, its dialect, its behaviours,
 * and the parts that the document leaves out.
 */
export function describeApi(
  { dialect, descriptions, undescribed }: DescribedMock,
  isPlain: boolean,
): ApiDescription {
  const sentences = [
    'A mock of an API, served from fixtures. Schemas describe the records of the fixtures, and the records that requests make of them as long as they follow this document.',
    dialect?.text ?? '',
    isPlain ? 'Left out are parameters and bodies that change the shape of a response.' : '',
    ...descriptions.flatMap(({ notes = [] }) => notes),
    'Pages of other origins get CORS headers, which are not listed, and answers to preflights.',
    undescribed.length > 0
      ? `Not described: ${undescribed.map((name) => `\`${name}\``).join(', ')}. They can change every response.`
      : '',
  ]
  return {
    description: sentences.filter((text) => text !== '').join('\n\n'),
    ...(undescribed.length > 0 && { 'x-not-described': [...undescribed] }),
  }
}

/** The description in the `info` of an OpenAPI document, with its extensions. */
export interface ApiDescription {
  description: string
  'x-not-described'?: string[]
}
