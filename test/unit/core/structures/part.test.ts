import { describe, expect, it } from 'vitest'

import { createPart } from '../../../../src/core/structures/part.ts'

describe('a part', () => {
  it('is loaded once, and at hand from then on', async () => {
    let count = 0
    const part = createPart(() => Promise.resolve({ count: ++count }))
    await Promise.all([part.load(), part.load()])
    expect(part.load()).toBeUndefined()
    expect(part.get()).toEqual({ count: 1 })
  })

  it('is not at hand before', () => {
    const part = createPart(() => Promise.resolve(1))
    expect(() => part.get()).toThrow(TypeError)
  })

  it('is loaded again where that has failed', async () => {
    const answers = [Promise.reject(new Error('offline')), Promise.resolve('part')]
    const part = createPart(() => answers.shift() ?? Promise.resolve(''))
    await expect(part.load()).rejects.toThrow('offline')
    await part.load()
    expect(part.get()).toBe('part')
  })
})
