import { applicatorKeywords } from './applicators.ts'
import { arrayKeywords } from './arrays.ts'
import type { Keywords } from './keyword.ts'
import { numberKeywords } from './numbers.ts'
import { objectKeywords } from './objects.ts'
import { referenceKeywords } from './references.ts'
import { stringKeywords } from './strings.ts'
import { valueKeywords } from './values.ts'

/** The keywords of all drafts, in the order of evaluation: those that see what others evaluate come last. */
export const keywords: Keywords = {
  ...referenceKeywords,
  ...valueKeywords,
  ...applicatorKeywords,
  ...objectKeywords,
  ...arrayKeywords,
  ...numberKeywords,
  ...stringKeywords,
}
