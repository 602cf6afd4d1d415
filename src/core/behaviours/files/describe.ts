import type { Description } from '../../http/contract/description.ts'
import type { ExtraRoute } from '../../http/contract/hooks.ts'
import type { Service } from '../../http/contract/service.ts'
import { resourcePath } from '../../http/routing/target.ts'
import { isOn, isWrite } from '../shared/coverage.ts'
import type { DescribedRoute } from '../../dialects/contract/description.ts'
import type { FileSettings } from './options.ts'

/** The routes of the files of records. */
export function routesOf({ fields }: FileSettings, { readOnly, store }: Service): ExtraRoute[] {
  return [...fields].flatMap(([name, own]) =>
    [...own.keys()].map((field) => {
      const id = store.resources.get(name)?.kind === 'singleton' ? '' : '/:id'
      const writes = readOnly ? [] : ['PUT', 'POST', 'DELETE']
      const path = `${resourcePath('', name)}${id}/${encodeURIComponent(field)}`
      return { methods: ['GET', 'HEAD', ...writes, 'OPTIONS'], path }
    }),
  )
}

/** Describes the fields that hold files, and the errors of files that a field does not take. */
export function describeFiles(settings: FileSettings, service: Service): Description {
  const { fields } = settings
  return {
    records: Object.fromEntries(
      [...fields].map(([name, own]) => [
        name,
        {
          fields: Object.fromEntries(
            [...own].map(([field, { isList }]) => {
              const file = { type: 'string', format: 'uri-reference' } as const
              return [field, { schema: isList ? { type: 'array', items: file } : file }]
            }),
          ),
        },
      ]),
    ),
    routes: () => routesOf(settings, service).flatMap(describeRoute),
    operation: (operation) =>
      isWrite(operation) && [...fields.keys()].some((name) => isOn(name, operation))
        ? {
            errors: {
              413: 'A file is too large.',
              415: 'A file has a type that its field does not take.',
              422: 'A field is no file.',
            },
          }
        : undefined,
  }
}

const anyFile = { '*/*': {} }
const text = { type: 'string' } as const
const errors = {
  404: 'There is no such record or file.',
  412: 'A precondition of the request does not hold.',
  413: 'The file is too large.',
  415: 'The field does not take the type of the file.',
}
const stored = {
  type: 'object',
  required: ['name', 'type', 'size', 'url'],
  properties: {
    name: text,
    type: text,
    size: { type: 'integer' },
    url: { type: 'string', format: 'uri' },
  },
} as const

/** Describes the operations on the file of a field. */
function describeRoute({ path, methods }: ExtraRoute): DescribedRoute[] {
  const name = path
    .split('/')
    .filter((one) => one !== '' && !one.startsWith(':'))
    .map((one) => one.charAt(0).toUpperCase() + one.slice(1).replaceAll(/\W/g, '_'))
    .join('')
  const [, tag = ''] = path.split('/')
  const common = { path, tag, errors }
  const read = {
    description: 'The bytes of the file, or a range of them.',
    type: '*/*',
    schema: {},
  }
  const written = { description: 'The stored file.', schema: stored }
  const writes = methods.includes('PUT')
    ? (['PUT', 'POST'] as const).map((method): DescribedRoute => ({
        ...common,
        method,
        operationId: `${method.toLowerCase()}File${name}`,
        summary: 'Upload the file',
        body: anyFile,
        responses: { 200: written, 201: written },
      }))
    : []
  return [
    {
      ...common,
      method: 'GET',
      operationId: `getFile${name}`,
      summary: 'Download the file',
      responses: {
        200: read,
        206: read,
        302: { description: 'The file is at another site.' },
        304: { description: 'The file has not changed.' },
      },
      errors: { 404: errors[404], 412: errors[412], 416: 'The range is behind the end.' },
    },
    ...writes,
    ...(writes.length === 0
      ? []
      : [
          {
            ...common,
            method: 'DELETE' as const,
            operationId: `deleteFile${name}`,
            summary: 'Remove the file',
            responses: { 204: { description: 'The file was removed.' } },
          },
        ]),
  ]
}
