import { describe, expect, it } from 'vitest'

import { formats } from '../../../../src/core/formats/formats.ts'
import { formatRows } from './format-rows.ts'

describe('a format', () => {
  it.each(formatRows)('%s allows and refuses', (format, valid, invalid) => {
    const isFormat = formats[format] ?? (() => undefined)
    expect([...valid, ...invalid].filter(isFormat)).toEqual(valid)
  })

  it('has a row here', () => {
    expect(formatRows.map(([format]) => format).toSorted()).toEqual(Object.keys(formats).toSorted())
  })
})
