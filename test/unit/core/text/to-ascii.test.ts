import { expect, it } from 'vitest'

import { toAscii } from '../../../../src/core/text/to-ascii.ts'

it.each([
  ['posts', 'posts'],
  ['größe', 'grosse'],
  ['Æther', 'Aether'],
  ['Książka', 'Ksiazka'],
  ['łódź', 'lodz'],
  ['ǅ', 'Dz'],
  ['Щука', 'Shchuka'],
  ['объект', 'obekt'],
  ['йод', 'iod'],
  ['Ώρα', 'Ora'],
  ['用户', '用户'],
])('%s is written as %s', (text, expected) => {
  expect(toAscii(text)).toBe(expected)
})
