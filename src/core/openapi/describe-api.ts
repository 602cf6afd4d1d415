import type { DescribedMock } from './described-mock.ts'

/** The description of an API and its extensions. */
export interface ApiDescription {
  description: string
  'x-not-described'?: string[]
}

/** Describes the API as a whole: the wire, the behaviours, and the parts that the document leaves out. */
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
