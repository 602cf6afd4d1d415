import { describe, expect, it } from 'vitest'

import { createMock } from '../../../../src/index.ts'
import { fc } from '../../../fast-check.ts'

const record = fc.record({
  a: fc.integer({ min: 0, max: 3 }),
  b: fc.constantFrom('red', 'green', 'dark red', 'Red green', null),
})
const files = fc
  .array(record, { minLength: 1, maxLength: 90, size: 'max' })
  .map((list) => list.map((one, at): Post => ({ id: at + 1, ...one })))

type Fields = { a: number; b: string | null }
type Post = Fields & { id: number }

type Step =
  | { do: 'insert' | 'update'; at: number; record: Fields }
  | { do: 'reload'; records: Post[] }
  | { do: 'remove'; at: number }
  | { do: 'snapshot' | 'restore' | 'reset' | 'fork' }
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('insert', 'update'), at: fc.nat(), record }),
  fc.record({ do: fc.constant('remove' as const), at: fc.nat() }),
  fc.record({ do: fc.constant('reload' as const), records: files }),
  fc.record({ do: fc.constantFrom('snapshot', 'restore', 'reset', 'fork') }),
)

const questions = [
  '?a=1&_sort=-b',
  '?b:contains=RED&_sort=a',
  '?b:contains=d+g',
  '?q=green&_page=1&_limit=7',
  '?a:gte=2&_sort=b,-a&_start=2&_limit=9',
  '?a:ne=1&b=red',
  '?_sort=-a&_limit=5',
]

describe('the answers of a mock that has lived', () => {
  it('are those of a new mock with the same records', async () => {
    await fc.assert(
      fc.asyncProperty(files, fc.array(step, { maxLength: 12 }), async (records, steps) => {
        let publish = (_data: { posts: Post[] }): void => {}
        const source = {
          data: { posts: records },
          subscribe(listener: (data: { posts: Post[] }) => void) {
            publish = listener
            return () => {}
          },
        }
        let mock = createMock({ fixtures: source })
        mock.snapshot('kept')
        for (const one of steps) {
          // The first two questions that can use an index do not have it yet.
          for (let time = 0; time < 3; time++) await answersOf(mock)
          const all = mock.db.posts.all()
          const target = 'at' in one ? all[one.at % Math.max(1, all.length)] : undefined
          if (one.do === 'insert') mock.db.posts.insert(one.record)
          else if (one.do === 'update' && target) mock.db.posts.update(target.id, one.record)
          else if (one.do === 'remove' && target) mock.db.posts.remove(target.id)
          else if (one.do === 'reload') publish({ posts: one.records })
          else if (one.do === 'snapshot') mock.snapshot('kept')
          else if (one.do === 'restore') mock.restore('kept')
          else if (one.do === 'reset') mock.reset()
          else if (one.do === 'fork') {
            mock = mock.fork()
            mock.snapshot('kept')
          }
          const same = createMock({ fixtures: { posts: mock.db.posts.all() } })
          expect(await answersOf(mock)).toEqual(await answersOf(same))
        }
      }),
      { numRuns: 30 },
    )
  })
})

async function answersOf(mock: Pick<ReturnType<typeof createMock>, 'fetch'>): Promise<string[]> {
  const asked = questions.map(async (query) => {
    const response = await mock.fetch(new Request(`http://x/posts${query}`))
    return `${response.status} ${response.headers.get('x-total-count')} ${await response.text()}`
  })
  return Promise.all(asked)
}
