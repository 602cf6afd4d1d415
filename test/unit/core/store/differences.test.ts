import type { Step } from '../../../../src/core/fixtures/record-difference.ts'
import { expect, it } from 'vitest'

import type { Json, JsonRecord } from '../../../../src/core/json/json.ts'
import { createRandom } from '../../../../src/core/time/random.ts'
import { content } from '../../../../src/core/store/records/resource.ts'
import { apply, diffAll, toStep } from '../../../../src/core/store/differences.ts'
import { createStore, type Store } from '../../../../src/core/store/store.ts'
import { fc } from '../../../fast-check.ts'

it('restores a store from the saved changes of another one', () => {
  const step = fc.tuple(fc.constantFrom('insert', 'replace', 'remove', 'again'), fc.nat(7))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const store = shop()
      for (const [kind, place] of steps) act(store, kind, place)
      const other = shop()
      apply(other, reread(toSteps(store)))
      expect(state(other)).toEqual(state(store))
      expect(other.insert('posts', {})).toEqual(store.insert('posts', {}))
    }),
  )
})

it('saves nothing where requests have done nothing', () => {
  const store = shop()
  store.replace('posts', '1', { id: 1, title: 'First' })
  expect(toSteps(store)).toEqual([])
})

it('saves only what differs', () => {
  const store = shop()
  store.insert('posts', { title: 'New' })
  store.replaceSingleton('profile', { name: 'Eve' })
  expect(toSteps(store)).toEqual([
    { collection: 'posts', id: '4', record: { id: 4, title: 'New' } },
    { collection: 'profile', record: { name: 'Eve' } },
  ])
})

it('never uses the id of a record again that was made and deleted before', () => {
  const store = shop()
  store.insert('posts', {})
  store.remove('posts', '4')
  const other = shop()
  apply(other, reread(toSteps(store)))
  expect(other.insert('posts', {})).toEqual({ id: 5 })
})

it('resets to the fixtures after applying saved changes', () => {
  const store = shop()
  apply(store, [{ collection: 'posts', id: '1' }])
  store.reset()
  expect(state(store)).toEqual(state(shop()))
})

it('leaves a store unchanged where a saved change does not fit', () => {
  const store = shop()
  const steps = [
    { collection: 'posts', id: '1' },
    { collection: 'users', id: '1' },
  ]
  expect(() => apply(store, steps)).toThrow('Failed to find')
  expect(state(store)).toEqual(state(shop()))
})

it('saves against the fixtures as they were last loaded', () => {
  const store = shop()
  store.insert('posts', { title: 'Mine' })
  store.reload('posts', [
    { id: 1, title: 'Edited' },
    { id: 2, title: 'Second' },
  ])
  expect(toSteps(store)).toEqual([
    { collection: 'posts', id: '4', record: { id: 4, title: 'Mine' } },
  ])
})

function shop(): Store {
  const fixtures: [string, Json][] = [
    [
      'posts',
      [
        { id: 1, title: 'First' },
        { id: 2, title: 'Second' },
        { id: 3, title: 'Third' },
      ],
    ],
    ['profile', { name: 'Ada' }],
    ['colours', ['red']],
  ]
  return createStore(new Map(fixtures), { idField: () => 'id', onFailure: fail }, createRandom(1))
}

function act(store: Store, kind: string, place: number): void {
  const id = String(place)
  const record: JsonRecord = { id: place, title: `${kind} ${place}` }
  const isThere = store.collection('posts').get(id) !== undefined
  if (kind === 'insert') store.insert('posts', { title: 'New' })
  else if (kind === 'again' && !isThere && place > 0) store.insert('posts', record)
  else if (kind === 'replace' && isThere) store.replace('posts', id, record)
  else if (kind === 'remove' && isThere) store.remove('posts', id)
}

function state(store: Store): unknown {
  return [...store.resources.values()].map(content)
}

function toSteps(store: Store): Step[] {
  return diffAll(store).map(toStep)
}

function reread<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}

function fail(error: unknown): never {
  throw error as Error
}
