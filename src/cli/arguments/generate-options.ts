import type { Option } from './option.ts'
import { readOptions, serverOptionsNamed } from './option-rows.ts'

// The options of the commands that generate a text from the fixtures.

/** The options of `mock types`, which prints TypeScript types of the fixtures or writes them to a file. */
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

/** The options of `mock openapi`, which prints an OpenAPI document of the mock or writes it to a file. */
export const openApiOptions: readonly Option[] = [
  ...readOptions,
  ...serverOptionsNamed(
    'base',
    'dialect',
    'routes',
    'foreignKeySuffix',
    'session-ttl',
    'read-only',
  ),
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
