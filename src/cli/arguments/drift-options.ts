import type { Option } from './option.ts'
import { readOptions, serverOptionsNamed } from './option-rows.ts'

/**
 * The options of `mock drift`, which compares the fixtures with a live API, an OpenAPI document or a
 * recording (HAR).
 */
export const driftOptions: readonly Option[] = [
  {
    name: 'header',
    type: 'list',
    description: 'Header of every request to the API; can be repeated',
    example: "'Authorization: Bearer <token>'",
  },
  {
    name: 'ignore',
    type: 'list',
    description: 'Paths to leave out, with * for any characters; can be repeated',
    example: "'*.updatedAt'",
  },
  {
    name: 'update',
    type: 'flag',
    description: "Take the other side's shape over into the fixture files",
  },
  {
    name: 'json',
    type: 'flag',
    description: 'Print the result as JSON',
  },
  {
    name: 'pages',
    type: 'text',
    description: 'Most pages of a list to read from an API',
    default: '3',
  },
  {
    name: 'timeout',
    type: 'text',
    description: 'Longest wait for a response of an API',
    default: '10s',
  },
  ...readOptions,
  // The options that decide at which paths and in which form resources are.
  ...serverOptionsNamed('base', 'dialect', 'routes', 'foreignKeySuffix'),
]
