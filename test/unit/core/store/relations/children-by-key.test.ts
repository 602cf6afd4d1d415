import { expect, it } from 'vitest'

import type { Json } from '../../../../../src/core/json/json.ts'
import { createRandom } from '../../../../../src/core/time/random.ts'
import { createCollection, keyOf } from '../../../../../src/core/store/records/collection.ts'
import { childrenByKey, keysIn, type Relation } from '../../../../../src/core/store/relations.ts'
import { fc } from '../../../../fast-check.ts'

const relation: Relation = {
  child: 'comments',
  key: 'postId',
  keys: ['postId', 'post_id'],
  parent: 'posts',
  many: false,
  alias: 'post',
  dependent: false,
}
const id = fc.constantFrom('1', '01', '2', '1e1', '10', 'true', 'null', 'a')
const single = fc.constantFrom<Json>(1, 2, 10, '1', '01', '1e1', 'a', true, null)
const key = fc.oneof(single, fc.array(single, { maxLength: 3 }), fc.constant<Json>({ id: 1 }))
const write = fc.record({ at: fc.nat(), key, isGone: fc.boolean() })

it('finds for each parent the children that a scan finds, each once and in order', () => {
  fc.assert(
    fc.property(
      fc.array(key, { maxLength: 12 }),
      fc.array(fc.tuple(fc.array(write, { maxLength: 4 }), fc.uniqueArray(id))),
      (keys, steps) => {
        const random = createRandom(1)
        const records = keys.map((one, at) => ({ [at % 3 === 0 ? 'post_id' : 'postId']: one }))
        const comments = createCollection(records, { name: 'comments', idField: 'id' })
        for (const [writes, ids] of steps) {
          for (const { at, key: postId, isGone } of writes) {
            const target = comments.records()[at % 8]
            if (!target) comments.insert({ postId }, random)
            else if (isGone) comments.remove(keyOf(comments, target))
            else comments.replace(keyOf(comments, target), { ...target, postId })
          }
          const found = ids.map((wanted) =>
            comments.records().filter((one) => keysIn(one, relation).includes(wanted)),
          )
          expect(childrenByKey(comments, relation, ids)).toEqual(found)
        }
      },
    ),
  )
})
