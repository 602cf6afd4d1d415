import type { Json } from '../../core/json/json.ts'

/**
 * The fixtures that `mock init` writes into a project without fixtures, by resource name: a collection, its
 * children and a singleton.
 */
export const starterFixtures: Readonly<Record<string, Json>> = {
  posts: [
    { id: 1, title: 'Hello, world', views: 120, published: true },
    { id: 2, title: 'Mocking an API', views: 64, published: true },
    { id: 3, title: 'A draft', views: 0, published: false },
  ],
  comments: [
    { id: 1, postId: 1, author: 'Ada', text: 'Nice to meet you.' },
    { id: 2, postId: 1, author: 'Grace', text: 'Same here.' },
    { id: 3, postId: 2, author: 'Ada', text: 'That was quick.' },
  ],
  profile: { name: 'Ada Lovelace', theme: 'dark' },
}

/**
 * Returns the text of the configuration file that `mock init` writes; `fixtures` is a folder, or a file of
 * all fixtures.
 */
export function starterConfig(fixtures: string): string {
  return `// The options of \`mock server\`. Options on the command line take precedence.

/** @type {import('fixtura/node').FileConfig} */
export default {
  fixtures: '${fixtures}',
  // base: '/api',
  // port: 3000,
}
`
}

/**
 * Returns the text of the configuration file in JSON, whose `$schema` lets editors complete and check the
 * options.
 */
export function starterJson(fixtures: string): string {
  const $schema = './node_modules/fixtura/schemas/config.json'
  return `${JSON.stringify({ $schema, fixtures }, null, 2)}\n`
}
