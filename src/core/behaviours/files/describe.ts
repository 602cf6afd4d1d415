import type { Description } from '../../http/contract/description.ts'
import type { ExtraRoute } from '../../http/contract/hooks.ts'
import type { Service } from '../../http/contract/service.ts'
import { resourcePath } from '../../http/routing/target.ts'
import { isOn, isWrite } from '../shared/coverage.ts'
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
export function describeFiles({ fields }: FileSettings): Description {
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
