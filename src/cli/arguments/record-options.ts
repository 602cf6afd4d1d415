import type { Option } from './option.ts'
import { serverOptionsNamed } from './option-rows.ts'

/**
 * The options of `mock record`, which serves a real API through a proxy and writes fixtures from its
 * responses.
 */
export const recordOptions: readonly Option[] = [
  {
    name: 'out',
    type: 'text',
    description: 'Folder to write fixtures to',
    default: 'fixtures',
  },
  {
    name: 'only',
    type: 'list',
    description: 'Pattern of the paths to learn from; can be repeated',
    default: 'the path of the URL and all below',
    example: "'/api/*'",
  },
  {
    name: 'redact',
    type: 'list',
    description: 'Names of fields to substitute beside those of secrets and personal data',
    example: 'email,phone',
  },
  {
    name: 'header',
    type: 'list',
    description: 'Header to set on every request to the real API; can be repeated',
    example: "'Authorization: Bearer <token>'",
  },
  {
    name: 'insecure',
    type: 'flag',
    description: 'Accept any certificate of the real API',
  },
  {
    name: 'limit',
    type: 'text',
    description: 'Largest body to learn from, in bytes; longer ones pass through',
    default: '8388608',
  },
  ...serverOptionsNamed('port', 'host', 'allow-host', 'quiet'),
]
