import { expect, it } from 'vitest'

import { toTagged } from '../../../../../src/core/http/response/record-json.ts'
import type { JsonRecord } from '../../../../../src/core/json/json.ts'
import { embedAll, type Lookup } from '../../../../../src/core/query/embed.ts'
import type { Embed } from '../../../../../src/core/query/tree.ts'
import { fc } from '../../../../fast-check.ts'

// The same few records everywhere, so that lists differ in their structure alone.
const pool: JsonRecord[] = [{}, { id: 1 }, { id: 2, title: 'é' }, { id: 3, title: 'a' }]
const one = fc.constantFrom(...pool)
const related = fc.oneof(fc.array(one, { maxLength: 3 }), fc.constant(null), one)
const names = fc.uniqueArray(fc.constantFrom('comments', 'autör', '__proto__'), { maxLength: 2 })
const lists = fc.record({
  records: fc.array(one, { maxLength: 3 }),
  names,
  isNested: fc.boolean(),
  found: fc.array(related, { minLength: 1 }),
})

it('writes what JSON.stringify writes, with another tag for another text', () => {
  const texts = new Map<string, string>()
  fc.assert(
    fc.property(lists, ({ records, names, isNested, found }) => {
      let next = 0
      const follow = (some: readonly unknown[]) =>
        some.map(() => found[next++ % found.length] ?? null)
      const lookup: Lookup = (collection) => ({ collection, follow })
      const toEmbed = (name: string, embed: Embed[] = []): Embed => ({
        name,
        parameter: 'x',
        embed,
      })
      const embeds = names.map((name) => toEmbed(name, isNested ? [toEmbed('user')] : []))
      const { text, tag } = toTagged(embedAll(records, embeds, 'posts', lookup))
      next = 0
      expect(text).toBe(JSON.stringify(embedAll(records, embeds, 'posts', lookup)))
      // The names of relations are in the URL.
      const key = [tag, isNested, ...names].join()
      expect(texts.get(key) ?? text).toBe(text)
      texts.set(key, text)
    }),
    { numRuns: 2000 },
  )
})
