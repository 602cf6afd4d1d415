import { describe, expect, it } from 'vitest'

import { isUnsupported } from '../../../../src/loader/discover/extensions.ts'

describe('the names of skipped files', () => {
  it.each([
    'a.jsn',
    'a.JSN',
    'a.jason',
    'a.jsno',
    'a.json.txt',
    'a.JSON5 ',
    'a.jsonc.txt',
    'a.geojson',
  ])('include %j, which seems to be a fixture', (name) => {
    expect(isUnsupported(name)).toBe(true)
  })

  it.each([
    'a.json~',
    'a.json.bak',
    '#a.json#',
    'a.json.swp',
    'a.jsx',
    'a.txt',
    'README.md',
    'json',
  ])('exclude %j', (name) => {
    expect(isUnsupported(name)).toBe(false)
  })
})
