import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it, onTestFinished } from 'vitest'

import { createMock } from '../../src/index.ts'
import { databases } from './databases.ts'
import { documentOf } from './document.ts'
import { createProject, runTool } from './tools.ts'

/** The official JSON Schema of OpenAPI 3.1, as the package has it. */
const official = join(
  import.meta.dirname,
  '../../node_modules/@seriousme/openapi-schema-validator/schemas/v3.1/schema.json',
)

/** The problems that `redocly lint` reports, with the rule and the place of each. */
async function lint(document: object): Promise<[rule: string, place: string][]> {
  const { folder, remove } = createProject()
  onTestFinished(remove)
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document))
  const args = ['lint', '--extends', 'recommended', '--format', 'json', 'openapi.json']
  const output = await runTool('@redocly/cli/bin/cli.js', args, folder)
  const [json = ''] = /^\{\n[^]*\n\}$/m.exec(output) ?? []
  const { problems } = JSON.parse(json) as {
    problems: { ruleId: string; location: { pointer: string }[] }[]
  }
  return problems.map(({ ruleId, location }) => [ruleId, location[0]?.pointer ?? ''])
}

describe.each(Object.keys(databases))('the document of %s', (name) => {
  const document = documentOf(createMock({ fixtures: databases[name] as never }) as never)

  it('satisfies the official schema of OpenAPI 3.1', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    addFormats.default(ajv)
    ajv.addFormat('media-range', true)
    const validate = ajv.compile(JSON.parse(readFileSync(official, 'utf8')) as object)
    validate(document)
    expect(validate.errors ?? []).toEqual([])
  })

  it('passes redocly lint', { timeout: 60_000 }, async () => {
    expect(await lint(document)).toEqual([])
  })
})
