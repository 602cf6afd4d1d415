import type { Option } from './option.ts'

/**
 * The options of `mock import`, which writes fixtures and a configuration from HTTP archives (HAR) of a real
 * API.
 */
export const importOptions: readonly Option[] = [
  {
    name: 'out',
    type: 'text',
    description: 'Folder to write the fixtures to',
    default: 'fixtures',
  },
  {
    name: 'origin',
    type: 'text',
    description: 'Origin of the API',
    default: 'the one with the most JSON',
    example: 'https://api.example.com',
  },
  {
    name: 'only',
    type: 'list',
    description: 'Pattern of the paths to learn from; can be repeated',
    default: 'all paths',
    example: "'/api/*'",
  },
  {
    name: 'redact',
    type: 'list',
    description:
      'Fields to replace, beside those that look private: email,phone; none keeps personal data',
    example: 'email,phone',
  },
]
