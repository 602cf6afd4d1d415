import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

import { expect, it } from 'vitest'

import { hasPath, readPath } from '../../../../../src/core/dialects/json-server-0/path.ts'
import {
  readPath as readPath1,
  splitPath,
  toSteps,
} from '../../../../../src/core/dialects/json-server-1/path.ts'
import { fc } from '../../../../fast-check.ts'
import { listed } from '../../../../peers/harness/listed.ts'

const load = createRequire(createRequire(import.meta.url).resolve('json-server'))
const lodash = load('lodash') as {
  get: (value: unknown, path: string) => unknown
  has: (value: unknown, path: string) => boolean
}

interface DotProp {
  parsePath: (path: string) => (string | number)[]
  getProperty: (value: object, path: string) => unknown
}

/** Loads dot-prop, which json-server 1 uses to read paths; the package cannot be required. */
async function loadDotProp(): Promise<DotProp> {
  const root = path.dirname(load.resolve('lodash/package.json'))
  return (await import(pathToFileURL(path.join(root, '../dot-prop/index.js')).href)) as DotProp
}

const paths = fc
  .array(
    fc.constantFrom(
      ...listed(
        'a¦b¦c¦id¦length¦0¦1¦01¦-1¦2¦.¦.¦.¦[¦]¦[0]¦[1]¦[a]¦["a"]¦[\'b\']¦["a.b"]¦["¦"]¦\\¦\\.¦\\[¦[]¦¦ ¦é¦a.b¦',
        '[01]¦[-1]¦[1.5]¦1000001¦[1000001]¦__proto__¦constructor¦prototype',
      ),
    ),
    { maxLength: 7 },
  )
  .map((parts) => parts.join(''))

const records = fc.constantFrom<object>(
  { a: { b: { c: 1 }, 0: 'x', '': 2 }, id: 1 },
  { 'a.b': 1, a: [{ b: 'text' }, { b: null }], '': { a: 3 } },
  { a: 'text', b: [[1, 2], [3]], c: null, '0': ['y'] },
  { a: { 'a.b': 5, '01': 6, '-1': 7 }, 'a[0]': 8, 'b]': 9, '[': 10 },
  { length: 3, a: { length: 2 }, é: [' ', { ' ': 1 }], '\\': 1 },
)

// Inherited members are a deliberate difference: both dialects read own properties only.
const inherits = /__proto__|constructor|prototype/

it('finds the same values as lodash', () => {
  fc.assert(
    fc.property(records, paths, (record, each) => {
      fc.pre(!inherits.test(each))
      expect([each, hasPath(record, each)]).toEqual([each, lodash.has(record, each)])
      expect([each, readPath(record, each)]).toEqual([each, lodash.get(record, each)])
    }),
    { numRuns: 5000 },
  )
})

it('finds the same values as dot-prop', async () => {
  const { parsePath, getProperty } = await loadDotProp()
  const attempt = <T>(run: () => T): T | string => {
    try {
      return run()
    } catch {
      return 'refused'
    }
  }
  fc.assert(
    fc.property(records, paths, (record, each) => {
      const steps = attempt(() => parsePath(each))
      expect([each, attempt(() => splitPath(each))]).toEqual([each, steps])
      const found = steps === 'refused' ? undefined : getProperty(record, each)
      expect([each, readPath1(record, toSteps(each))]).toEqual([each, found])
    }),
    { numRuns: 5000 },
  )
})
