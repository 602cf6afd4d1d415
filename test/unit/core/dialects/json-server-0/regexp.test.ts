import { listed } from '../../../../peers/harness/listed.ts'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { compilePattern } from '../../../../../src/core/dialects/json-server-0/regexp.ts'

/** What the language itself says; undefined where it knows no such pattern. */
function native(source: string, text: string): boolean | undefined {
  try {
    return new RegExp(source, 'i').test(text)
  } catch {
    return undefined
  }
}

function ours(source: string, text: string): boolean | undefined {
  try {
    return compilePattern(source)(text)
  } catch {
    return undefined
  }
}

/** Whether two groups have one name, which newer engines take and older ones do not. */
function hasOneNameTwice(source: string): boolean {
  return source.split('(?<n>').length > 2
}

/** Whether it is refused for what the language would take, as is tested on its own. */
function refersBack(source: string): boolean {
  try {
    compilePattern(source)
    return false
  } catch (error) {
    return String(error).includes('refers back')
  }
}

const unit = fc.constantFrom(
  ...listed('a¦b¦B¦\\¦$¦é¦É¦1¦ ¦\n¦_¦ß¦ſ¦İ¦ı¦K¦å¦Å¦日¦σ¦ς¦Σ¦µ¦μ¦s¦S¦k¦:¦/¦8¦@¦ǆ¦ǅ¦Ǆ¦ᾳ¦ᾼ¦ﬀ¦😀¦-'),
)
const texts = fc.array(fc.string({ unit, maxLength: 10 }), { minLength: 2, maxLength: 6 })

/** Parts that may stand alone. */
const atoms = fc.constantFrom(
  ...listed(
    String.raw`.¦\d¦\w¦\s¦\W¦\S¦\D¦[a-c]¦[^a]¦[\w-]¦[^\W]¦[À-Ý]¦[ω-ώ]¦[α-ρ]¦\b¦\B¦^¦$¦\u03c3¦\0¦{¦}¦]¦`,
    String.raw`a{,3}¦[\D]¦[^\D]¦[\W]¦[^\S]¦\07¦\100¦\40¦\c¦\8¦[\c1]¦[\b]¦[\d-a]¦[a-\d]¦[--a]¦[^]¦[]¦\q¦\x61¦\cJ¦\-¦\/¦\p¦\k`,
  ),
)

/** Patterns that are well formed. */
const { pattern: patterns } = fc.letrec<{ pattern: string }>((tie) => {
  const inner = tie('pattern')
  const repeated = fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{0,1}?', '*?', '{2,}')
  const opened = fc.constantFrom('(?=', '(?!', '(?<=', '(?<!')
  return {
    pattern: fc.oneof(
      { depthSize: 'small' },
      unit.map((each) => each.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)),
      atoms,
      fc.tuple(inner, inner).map((parts) => parts.join('')),
      fc.tuple(inner, inner).map((parts) => `(?:${parts.join('|')})`),
      fc.tuple(inner, repeated).map(([part, sign]) => `(${part})${sign}`),
      fc.tuple(opened, inner).map(([sign, part]) => `${sign}${part})`),
    ),
  }
})

/** Patterns of which many are not. */
const scraps = fc
  .array(
    fc.constantFrom(
      ...listed(
        String.raw`a¦b¦1¦.¦^¦$¦|¦(¦)¦(?:¦(?=¦(?!¦(?<=¦(?<!¦*¦+¦?¦{2}¦{1,}¦{0,2}¦{¦}¦[¦]¦[^¦-¦a-z¦\d¦`,
        String.raw`\b¦\¦\0¦\c¦,¦(?<n>¦[a-¦[\w-¦[^\d¦*?¦\q¦[]¦[^]`,
      ),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''))

describe('compilePattern', () => {
  it.each([
    ['well formed', patterns],
    ['anchored', patterns.map((source) => `^(?:${source})$`)],
    ['random', scraps],
  ])('finds what the language finds with %s patterns', (_, sources) => {
    fc.assert(
      fc.property(sources, texts, (source, samples) => {
        fc.pre(!refersBack(source) && !hasOneNameTwice(source))
        for (const text of samples) {
          const found = [source, text, ours(source, text)]
          expect(found).toEqual([source, text, native(source, text)])
        }
      }),
      { numRuns: 3000 },
    )
  })

  it.each([
    ['(a)\\1', 'refers back'],
    ['(?<x>a)\\k<x>', 'refers back'],
    ['(a)(?<x>b)\\k<x>', 'refers back'],
    ['a{2000}', 'too large'],
    ['(?:(?=(?:(?=a{30}){30})){30})', 'too large'],
    ['('.repeat(200) + ')'.repeat(200), 'groups'],
    ['(', 'Unterminated group'],
    ['[a', 'Unterminated character class'],
    ['*', 'Nothing to repeat'],
  ])('refuses %j', (source, reason) => {
    expect(() => compilePattern(source)).toThrow(reason)
  })

  it.each([['(a+)+$'], ['(a|a)*b'], ['(.*)*x'], ['(?=(a+)+b)a'], ['^(([a-z])+.)+[A-Z]([a-z])+$']])(
    'answers %j on a long text at once',
    (source) => {
      const find = compilePattern(source)
      const time = (length: number): number => {
        const started = performance.now()
        find(`${'a'.repeat(length)}!`)
        return performance.now() - started
      }
      time(1000)
      expect(time(40_000)).toBeLessThan(Math.max(1000, time(10_000) * 20))
    },
  )

  it.each([
    ['(){500000000}'],
    ['(?:(?:){500000000}|a)'],
    ['((){20000}){20000}'],
    ['(a?)'.repeat(150)],
  ])('reads %j at once', (source) => {
    const started = performance.now()
    expect(compilePattern(source)('')).toBe(true)
    expect(performance.now() - started).toBeLessThan(1000)
  })

  it('gives up over more data than anybody would wait for', () => {
    const find = compilePattern('(a?){400}b')
    const text = 'a'.repeat(10_000)
    expect(() => {
      for (let count = 0; count < 1000; count++) find(text)
    }).toThrow('too long')
  })
})
