import type { Option } from './option.ts'
import { readOptions, serverOptions } from './option-rows.ts'

/** The options of `mock types`. */
export const typesOptions: readonly Option[] = [
  ...readOptions,
  {
    name: 'out',
    type: 'text',
    description: 'File to write the types to, if they have changed',
    default: 'standard output',
    example: 'fixtures.d.ts',
  },
]

/** The options of `mock server` that change the API, beside those of all commands that read fixtures. */
const apiOptions = ['base', 'dialect', 'routes', 'foreignKeySuffix', 'session-ttl', 'read-only']

/** The options of `mock openapi`. */
export const openApiOptions: readonly Option[] = [
  ...readOptions,
  ...serverOptions.filter(({ name }) => apiOptions.includes(name)),
  {
    name: 'plain',
    type: 'flag',
    description:
      'Leave out parameters and bodies that change the shape of a response, such as _fields',
  },
  {
    name: 'out',
    type: 'text',
    description: 'File to write the document to, if it has changed; .yaml and .yml are YAML',
    default: 'standard output, as JSON',
    example: 'openapi.yaml',
  },
]
