import { MockError } from '../errors/mock-error.ts'
import { suggest } from '../errors/nearest.ts'
import type { Documents } from '../documents/documents.ts'
import type { MockRequest } from '../http/contract/messages.ts'
import { resourcePath } from '../http/routing/target.ts'
import { controlPath } from '../url/control-path.ts'
import type { ControlAnswer, ControlRequest, Controls } from './contract.ts'

/** The documents that describe the mock; a request imports their code, so that the start stays fast. */
export const documentControls: Controls = {
  'openapi.json': { GET: async ({ mock }) => ({ value: await openApiOf(mock) }) },
  'openapi.yaml': {
    async GET({ mock }) {
      const { toYaml } = await import('../documents/to-yaml.ts')
      const body = toYaml(await openApiOf(mock))
      return { type: 'application/yaml; charset=utf-8', body }
    },
  },
  schema: {
    async GET({ mock, request }) {
      const names = (await documentsOf(mock)).schemaNames()
      return { value: Object.fromEntries(names.map((name) => [name, toUrl(request, name)])) }
    },
    'GET *': readSchema,
  },
  relations: { GET: async ({ mock }) => ({ value: (await documentsOf(mock)).relations() }) },
}

async function documentsOf(mock: ControlRequest['mock']): Promise<Documents> {
  return (await import('../documents/documents.ts')).documentsOf(mock)
}

async function openApiOf(mock: ControlRequest['mock']): Promise<unknown> {
  return (await documentsOf(mock)).openApi()
}

async function readSchema({ mock, request, rest }: ControlRequest): Promise<ControlAnswer> {
  const file = rest.join('/')
  const documents = await documentsOf(mock)
  const name = /^(.*)\.json$/s.exec(file)?.[1] ?? ''
  const value = documents.schema(name, (one) => toUrl(request, one))
  if (value) return { type: 'application/schema+json; charset=utf-8', value }
  const known = documents.schemaNames().map((one) => `${one}.json`)
  throw new MockError(`Failed to find the schema "${file}". ${suggest(file, known)}`, {
    status: 404,
    code: 'NOT_FOUND',
  })
}

function toUrl({ origin }: MockRequest, name: string): string {
  return `${origin}${resourcePath(`${controlPath}/schema`, name)}.json`
}
