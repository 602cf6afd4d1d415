import { describe, expect, it } from 'vitest'

import { digest } from '../../../../src/loader/read/digest.ts'
import {
  createShelf,
  fromDigest,
  toImprint,
  unread,
} from '../../../../src/loader/read/file-content.ts'

describe('an imprint', () => {
  it('knows its bytes, at hand or not', () => {
    const imprint = toImprint(Buffer.from('[1]'))
    for (const size of [3, 0, 3]) {
      expect(imprint.size).toBe(size)
      expect(imprint.isOf(Buffer.from('[2]'))).toBe(false)
      expect(imprint.size).toBe(size)
      if (size > 0) imprint.release()
      else expect(imprint.isOf(Buffer.from('[1]'))).toBe(true)
    }
    expect(imprint.hash()).toBe(digest(Buffer.from('[1]')))
  })

  it('tells where things stand only while the bytes are at hand', () => {
    const imprint = fromDigest(digest(Buffer.from('[1]')))
    expect(imprint.text()).toBe(undefined)
    imprint.isOf(Buffer.from('[1]'))
    expect(imprint.text()?.outline.lists).toHaveLength(1)
    imprint.release()
    expect(imprint.text()).toBe(undefined)
  })

  it('of what cannot be read is like no bytes', () => {
    expect(unread.isOf(Buffer.from(''))).toBe(false)
    expect(unread.size).toBe(0)
  })
})

describe('a shelf', () => {
  it('lets the files that were read last have their bytes', () => {
    const shelf = createShelf(10)
    const imprints = ['aaa', 'bbbb', 'ccccc', 'dddddd'].map((text) => toImprint(Buffer.from(text)))
    const sizes = (): number[] => imprints.map(({ size }) => size)
    const put = (at: number, name: string): void => shelf.put(name, imprints[at] ?? unread)
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
