import { applicatorKeywords } from './applicators.ts'
import { arrayKeywords } from './arrays.ts'
import type { Keywords } from './keyword.ts'
import { numberKeywords } from './numbers.ts'
import { objectKeywords } from './objects.ts'
import { referenceKeywords } from './references.ts'
import { stringKeywords } from './strings.ts'
import { valueKeywords } from './values.ts'

/**
 * Lists the JSON Schema keywords of all drafts in the order in which they run. `unevaluatedProperties` and
 * `unevaluatedItems` run after the keywords that evaluate properties and elements, as both apply to the
 * properties and elements that no other keyword evaluated.
 */
export const keywords: Keywords = {
  ...referenceKeywords,
  ...valueKeywords,
  ...applicatorKeywords,
  ...objectKeywords,
  ...arrayKeywords,
  ...numberKeywords,
  ...stringKeywords,
}
