import { fc } from '../../../../fast-check.ts'
import { listed } from '../../../../peers/harness/listed.ts'
import { describe, expect, it } from 'vitest'

import { compileRegExp as compile } from '../../../../../src/core/dialects/shared/regexp.ts'

function compileRegExp(source: string): (text: string) => boolean {
  return compile(source, { left: 20_000_000 })
}

/** The result of the engine's own `RegExp`; undefined for an invalid expression. */
function native(source: string, text: string): boolean | undefined {
  try {
    return new RegExp(source, 'i').test(text)
  } catch {
    return undefined
  }
}

function ours(source: string, text: string): boolean | undefined {
  try {
    return compileRegExp(source)(text)
  } catch {
    return undefined
  }
}

/** Whether two groups have the same name, which only newer engines accept. */
function hasOneNameTwice(source: string): boolean {
  return source.split('(?<n>').length > 2
}

/** Whether an expression is refused for a backreference or a lookaround, which other tests cover. */
function isUnsupported(source: string): boolean {
  try {
    compileRegExp(source)
    return false
  } catch (error) {
    return /backreference|lookaround/.test(String(error))
  }
}

const unit = fc.constantFrom(
  ...listed('a¦b¦B¦\\¦$¦é¦É¦1¦ ¦\n¦_¦ß¦ſ¦İ¦ı¦K¦å¦Å¦日¦σ¦ς¦Σ¦µ¦μ¦s¦S¦k¦:¦/¦8¦@¦ǆ¦ǅ¦Ǆ¦ᾳ¦ᾼ¦ﬀ¦😀¦-'),
)
const texts = fc.array(fc.string({ unit, maxLength: 10 }), { minLength: 2, maxLength: 6 })

/** Parts that are valid on their own. */
const atoms = fc.constantFrom(
  ...listed(
    String.raw`.¦\d¦\w¦\s¦\W¦\S¦\D¦[a-c]¦[^a]¦[\w-]¦[^\W]¦[À-Ý]¦[ω-ώ]¦[α-ρ]¦\b¦\B¦^¦$¦\u03c3¦\0¦{¦}¦]¦`,
    String.raw`a{,3}¦[\D]¦[^\D]¦[\W]¦[^\S]¦\07¦\040¦\c¦[\c1]¦[\b]¦[\d-a]¦[a-\d]¦[--a]¦[^]¦[]¦\q¦\x61¦\cJ¦\-¦\/¦\p`,
  ),
)

/** Valid expressions. */
const { pattern: patterns } = fc.letrec<{ pattern: string }>((tie) => {
  const inner = tie('pattern')
  const repeated = fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{0,1}?', '*?', '{2,}')
  return {
    pattern: fc.oneof(
      { depthSize: 'small' },
      unit.map((each) => each.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)),
      atoms,
      fc.tuple(inner, inner).map((parts) => parts.join('')),
      fc.tuple(inner, inner).map((parts) => `(?:${parts.join('|')})`),
      fc.tuple(inner, repeated).map(([part, sign]) => `(${part})${sign}`),
    ),
  }
})

/** Random expressions, many of them invalid. */
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

describe('compileRegExp', () => {
  it.each([
    ['valid', patterns],
    ['anchored', patterns.map((source) => `^(?:${source})$`)],
    ['random', scraps],
  ])('matches as the engine does with %s expressions', (_, sources) => {
    fc.assert(
      fc.property(sources, texts, (source, samples) => {
        fc.pre(!isUnsupported(source) && !hasOneNameTwice(source))
        return samples.every((text) => ours(source, text) === native(source, text))
      }),
      { numRuns: 3000 },
    )
  })

  it.each([
    ['(a)\\1', 'backreference'],
    ['(?<x>a)\\k<x>', 'backreference'],
    ['(a)(?<x>b)\\k<x>', 'backreference'],
    ['a{2000}', 'too large'],
    ['(?:(?:(?:a{30}){30}){30})', 'too large'],
    ['\\40', 'backreference'],
    ['(?=a)b', 'lookaround'],
    ['a(?<!b)', 'lookaround'],
    ['(', 'it is not a regular expression'],
    ['[a', 'it is not a regular expression'],
    ['*', 'it is not a regular expression'],
  ])('refuses %j', (source, reason) => {
    expect(() => compileRegExp(source)).toThrow(reason)
  })

  it.each([
    ['(){500000000}'],
    ['(?:(?:){500000000}|a)'],
    ['((){20000}){20000}'],
    ['(a?)'.repeat(150)],
  ])('compiles %j without a copy for each repetition', (source) => {
    expect(compileRegExp(source)('')).toBe(true)
  })

  it('stops when the budget is used up', () => {
    const find = compileRegExp('(a?){400}b')
    const text = 'a'.repeat(10_000)
    expect(() => {
      for (let count = 0; count < 1000; count++) find(text)
    }).toThrow('too long')
  })
})
