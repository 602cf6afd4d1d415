import { join, sep } from 'node:path'

import { rolldown } from 'rolldown'
import { expect, it } from 'vitest'

const entry = join(import.meta.dirname, '../../../../src/dialects.ts')

/** The modules in the bundle of a page that imports one name of `fixtura/dialects`. */
async function bundledWith(name: string): Promise<string> {
  const page = 'virtual:page'
  const bundle = await rolldown({
    input: page,
    platform: 'browser',
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === page ? page : undefined),
        load: (id) =>
          id === page ? `export { ${name} } from ${JSON.stringify(entry)}` : undefined,
      },
    ],
  })
  const { output } = await bundle.generate()
  await bundle.close()
  return Object.keys(output[0].modules).join('\n').replaceAll(sep, '/')
}

it.each<[string, string[], string[]]>([
  [
    'rest',
    ['dialects/rest/rest.ts'],
    ['json-server', 'simple-rest', 'pluralize', 'inflection', 'presets'],
  ],
  ['laravel', ['presets/laravel.ts'], ['json-server', 'django', 'spring', 'nestjsx']],
  ['simpleRest', ['simple-rest.ts'], ['json-server', 'pluralize', 'inflection', 'rest-names']],
  ['jsonApi', ['json-api.ts'], ['json-server', 'pluralize', 'inflection', 'rest-names']],
  ['jsonServer0', ['json-server-0.ts', 'pluralize'], ['json-server-1', 'inflection']],
  [
    'jsonServer1',
    ['json-server-1.ts', 'inflection'],
    ['json-server-0', 'json-server-1-beta', 'pluralize'],
  ],
  ['jsonServer1Beta', ['json-server-1-beta.ts', 'inflection'], ['json-server-0', 'pluralize']],
])(
  'a page that imports %s bundles only the modules that it needs',
  async (name, present, absent) => {
    const modules = await bundledWith(name)
    for (const part of present) expect(modules).toContain(part)
    for (const part of absent) expect(modules).not.toContain(part)
  },
)
