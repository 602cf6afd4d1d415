import { expect, it } from 'vitest'

import { fixtura } from '../../../../src/vite.ts'

const wrong: [title: string, options: object, expected: string][] = [
  ['an unknown option', { fixture: 'x' }, 'there is no "fixture"'],
  ['an unknown mode', { mode: 'sever' }, '"mode" cannot be "sever"'],
  ['an unknown option of the configuration', { config: { bases: '/api' } }, 'there is no "bases"'],
]

it.each(wrong)('refuses %s', (_, options, expected) => {
  expect(() => fixtura(options)).toThrow(expected)
})

it('takes the configuration of the command line', () => {
  expect(fixtura({ config: { port: 4000, dialect: 'rest', base: '/api' } }).name).toBe('fixtura')
})
