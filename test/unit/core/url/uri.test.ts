import { describe, expect, it } from 'vitest'

import { resolveUri, withEscapes } from '../../../../src/core/url/uri.ts'

const base = 'http://a/b/c/d;p?q'

// The examples of RFC 3986 §5.4.
const examples: [reference: string, target: string][] = [
  ['g:h', 'g:h'],
  ['g', 'http://a/b/c/g'],
  ['./g', 'http://a/b/c/g'],
  ['g/', 'http://a/b/c/g/'],
  ['/g', 'http://a/g'],
  ['//g', 'http://g'],
  ['?y', 'http://a/b/c/d;p?y'],
  ['g?y', 'http://a/b/c/g?y'],
  ['#s', 'http://a/b/c/d;p?q#s'],
  ['g#s', 'http://a/b/c/g#s'],
  ['g?y#s', 'http://a/b/c/g?y#s'],
  [';x', 'http://a/b/c/;x'],
  ['', 'http://a/b/c/d;p?q'],
  ['.', 'http://a/b/c/'],
  ['./', 'http://a/b/c/'],
  ['..', 'http://a/b/'],
  ['../', 'http://a/b/'],
  ['../g', 'http://a/b/g'],
  ['../..', 'http://a/'],
  ['../../g', 'http://a/g'],
  ['../../../g', 'http://a/g'],
  ['/./g', 'http://a/g'],
  ['/../g', 'http://a/g'],
  ['g.', 'http://a/b/c/g.'],
  ['..g', 'http://a/b/c/..g'],
  ['./../g', 'http://a/b/g'],
  ['g/./h', 'http://a/b/c/g/h'],
  ['g/../h', 'http://a/b/c/h'],
  ['g?y/../x', 'http://a/b/c/g?y/../x'],
  ['g#s/../x', 'http://a/b/c/g#s/../x'],
]

describe('resolveUri', () => {
  it.each(examples)('resolves "%s" to %s', (reference, target) => {
    expect(resolveUri(reference, base)).toBe(target)
  })

  it.each([
    ['#a', 'urn:uuid:1', 'urn:uuid:1#a'],
    ['b', 'http://a', 'http://a/b'],
    ['file.json', 'file:///c:/folder/other.json', 'file:///c:/folder/file.json'],
  ])('resolves "%s" against %s', (reference, from, target) => {
    expect(resolveUri(reference, from)).toBe(target)
  })
})

describe('withEscapes', () => {
  it.each([
    ['http://a/b c', 'http://a/b%20c'],
    ['http://a/b%20c', 'http://a/b%20c'],
    ['http://a/é', 'http://a/%C3%A9'],
    ['http://a/%2f', 'http://a/%2F'],
    ['http://a/%252F', 'http://a/%252F'],
    ['http://a/%', 'http://a/%'],
  ])('writes %s as %s', (uri, same) => {
    expect(withEscapes(uri)).toBe(same)
  })
})
