import { expect, it } from 'vitest'

import { styleOf, toStyle } from '../../../../../src/core/dialects/rest-names/key-style.ts'
import type { KeyStyle } from '../../../../../src/dialects.ts'

it.each<[key: string, style: KeyStyle, expected: string]>([
  ['firstName', 'snake_case', 'first_name'],
  ['first_name', 'camelCase', 'firstName'],
  ['first-name', 'PascalCase', 'FirstName'],
  ['FirstName', 'kebab-case', 'first-name'],
  ['userID', 'snake_case', 'user_id'],
  ['HTMLElement', 'snake_case', 'html_element'],
  ['homeURLs', 'snake_case', 'home_urls'],
  ['address2', 'snake_case', 'address2'],
  ['_links', 'PascalCase', '_Links'],
  ['__typename', 'snake_case', '__typename'],
  ['@type', 'snake_case', '@type'],
  ['$ref', 'snake_case', '$ref'],
  ['a b', 'snake_case', 'a b'],
  ['', 'camelCase', ''],
  ['first_name', 'snake_case', 'first_name'],
])('spells %s in %s', (key, style, expected) => {
  expect(toStyle(key, style)).toBe(expected)
  expect(toStyle(expected, style)).toBe(expected)
})

it.each<[key: string, expected: KeyStyle | undefined]>([
  ['firstName', 'camelCase'],
  ['first_name', 'snake_case'],
  ['first-name', 'kebab-case'],
  ['FirstName', 'PascalCase'],
  ['name', undefined],
  ['_id', undefined],
])('finds the style of %s', (key, expected) => {
  expect(styleOf(key)).toBe(expected)
})
