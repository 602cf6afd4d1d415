// A row for the time to infer JSON Schema, statistics and relations of records, compared with the time that
// `JSON.parse` takes for the same records.

import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { rolldown } from 'rolldown'

import { median } from '../lib/statistics.js'

const folder = join(import.meta.dirname, '../../src/core/shape')

/** Creates the row: its rates are milliseconds, its ratio is the time of Fixtura divided by that of `JSON.parse`. */
export function shapeRow({ count }) {
  return async (bench) => {
    const { createShapes, toSources } = await load(bench.scratch)
    const text = JSON.stringify({ posts: bench.records(count) })
    const times = { fixtura: [], parse: [] }
    // The first round only lets the engine compile.
    for (let round = 0; round <= bench.rounds; round++) {
      const start = performance.now()
      const data = JSON.parse(text)
      const parsed = performance.now()
      createShapes()(toSources(data))
      const inferred = performance.now()
      if (round === 0) continue
      times.parse.push(parsed - start)
      times.fixtura.push(inferred - parsed)
    }
    const ratio = median(times.fixtura.map((time, at) => time / times.parse[at]))
    return {
      unit: 'ms',
      rates: { fixtura: median(times.fixtura), parse: median(times.parse) },
      ratios: { parse: ratio },
      notes: [`${Math.round(text.length / 1e6)} MB`],
    }
  }
}

/** Bundles the modules, which are in no entry of the package. */
async function load(scratch) {
  const page = '\0shape'
  const bundle = await rolldown({
    input: page,
    platform: 'neutral',
    plugins: [
      {
        name: 'shape',
        resolveId: (id) => (id === page ? page : null),
        load: (id) =>
          id === page
            ? ['shapes', 'sources'].map((name) => `export * from '${folder}/${name}.ts'`).join('\n')
            : null,
      },
    ],
  })
  const file = join(scratch, 'shape.mjs')
  await bundle.write({ file })
  await bundle.close()
  return import(pathToFileURL(file).href)
}
