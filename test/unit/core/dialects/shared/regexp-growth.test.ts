import { growthOf, linear } from '../../../../steps.ts'

import { expect, it } from 'vitest'

import { compileRegExp as compile } from '../../../../../src/core/dialects/shared/regexp.ts'

function compileRegExp(source: string): (text: string) => boolean {
  return compile(source, { left: 20_000_000 })
}

it.each(['(a+)+$', '(a|a)*b', '(.*)*x', '(?:(a+)+b)*c', '^(([a-z])+.)+[A-Z]([a-z])+$'])(
  'looks for %j in linear steps',
  async (source) => {
    const growth = await growthOf(5000, (size) => {
      const find = compileRegExp(source)
      return () => expect(find(`${'a'.repeat(size)}!`)).toBe(false)
    })
    expect(growth).toBeLessThan(linear)
  },
)

const repetitions: [title: string, toSource: (count: number) => string][] = [
  ['of nothing', (count) => `(){${count}}`],
  ['of nothing beside a letter', (count) => `(?:(?:){${count}}|a)`],
  ['in a repetition', (count) => `((){${count}}){${count}}`],
]

it.each(repetitions)(
  'reads a repetition %s in as many steps for any count',
  async (_, toSource) => {
    const growth = await growthOf(1000, (count) => () => compileRegExp(toSource(count))(''))
    expect(growth).toBe(1)
  },
)

it('reads many optional letters in linear steps', async () => {
  const growth = await growthOf(10, (count) => () => compileRegExp('(a?)'.repeat(count))(''))
  expect(growth).toBeLessThan(linear)
})
