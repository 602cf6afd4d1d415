import { describe, expect, it } from 'vitest'

import {
  createContentCache,
  toFileContent,
  unreadable,
} from '../../../../src/loader/read/file-content.ts'

describe('the content of a file', () => {
  it('matches its bytes, also after their release', () => {
    const content = toFileContent(Buffer.from('[1]'))
    for (const size of [3, 0]) {
      expect(content.size).toBe(size)
      expect(content.matches(Buffer.from('[2]'))).toBe(false)
      expect(content.matches(Buffer.from('[1]'))).toBe(true)
      content.release()
    }
  })

  it('that cannot be read matches no bytes', () => {
    expect(unreadable.matches(Buffer.from(''))).toBe(false)
    expect(unreadable.size).toBe(0)
  })
})

describe('a content cache', () => {
  it('keeps the bytes of the files that were read last', () => {
    const cache = createContentCache(10)
    const contents = ['aaa', 'bbbb', 'ccccc', 'dddddd'].map((text) =>
      toFileContent(Buffer.from(text)),
    )
    const sizes = (): number[] => contents.map(({ size }) => size)
    const put = (at: number, name: string): void => cache.put(name, contents[at] ?? unreadable)
    put(0, 'a')
    put(1, 'b')
    expect(sizes()).toEqual([3, 4, 5, 6])
    put(0, 'a')
    put(2, 'c')
    expect(sizes()).toEqual([3, 0, 5, 6])
    put(3, 'd')
    expect(sizes()).toEqual([3, 0, 5, 0])
  })
})
