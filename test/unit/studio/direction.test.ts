import { expect, it } from 'vitest'

import { directionOf } from '../../../src/studio/data/direction.ts'

it.each([
  ['', undefined],
  ['12 %', undefined],
  ['hello שלום', undefined],
  ['1. שלום hello', 'rtl'],
  ['«مرحبا»', 'rtl'],
  ['ключ', undefined],
])('finds the direction of "%s"', (text, expected) => expect(directionOf(text)).toBe(expected))
