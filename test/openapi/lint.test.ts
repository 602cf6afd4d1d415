import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { beforeAll, describe, expect, it } from 'vitest'

import { createMock, type MockOptions } from '../../src/index.ts'
import { databases } from './databases.ts'
import { documentOf } from './document.ts'
import { createProject, runTool } from './tools.ts'
import { withBehaviours } from './with-behaviours.ts'

/** The official JSON Schema of OpenAPI 3.1, as the package has it. */
const official = join(
  import.meta.dirname,
  '../../node_modules/@seriousme/openapi-schema-validator/schemas/v3.1/schema.json',
)

const mocks: [name: string, options: MockOptions<Record<string, unknown>>][] = [
  ...Object.entries(databases).map(([name, fixtures]) => [name, { fixtures }] as const),
  ...withBehaviours
    .filter(([title]) => /files/.test(title))
    .map(([title, config]) => [title, config()] as const),
].map(([name, options]) => [name, options])
const names = mocks.map(([name]) => name)
const documents = mocks.map(([, options]) => documentOf(createMock(options)))

/** The problems that one run of `redocly lint` reports in each document, with the rule and the place of each. */
async function lint(): Promise<[rule: string, place: string][][]> {
  const { folder, remove } = createProject()
  const files = documents.map((document, at) => {
    writeFileSync(join(folder, `${at}.json`), JSON.stringify(document))
    return `${at}.json`
  })
  const args = ['lint', '--extends', 'recommended', '--format', 'json', ...files]
  const output = await runTool('@redocly/cli/bin/cli.js', args, folder).finally(remove)
  return Array.from(output.matchAll(/\{\n[^]*?\n\}/g), ([json]) => {
    const { problems } = JSON.parse(json) as {
      problems: { ruleId: string; location: { pointer: string }[] }[]
    }
    return problems.map(({ ruleId, location }) => [ruleId, location[0]?.pointer ?? ''])
  })
}

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addFormat('media-range', true)
const validate = ajv.compile(JSON.parse(readFileSync(official, 'utf8')) as object)

let linted: ReturnType<typeof lint> = Promise.resolve([])
beforeAll(() => {
  linted = lint()
})

describe.each(names)('the document of %s', (name) => {
  const at = names.indexOf(name)

  it('satisfies the official schema of OpenAPI 3.1', () => {
    validate(documents[at])
    expect(validate.errors ?? []).toEqual([])
  })

  it('passes redocly lint', async () => {
    expect((await linted)[at]).toEqual([])
  })
})
