import type { Json } from '../../core/json/json.ts'

/** The fixtures that `mock init` writes, by resource name: a parent, its children, and a singleton. */
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

/** The configuration that `mock init` writes, by the name of what is to be served. */
export function starterConfig(fixtures: string): string {
  return `// What \`npx mock server\` does when it is given no options. Those that it is given come first.

/** @type {import('fixtura/node').FileConfig} */
export default {
  fixtures: '${fixtures}',
  // base: '/api',
  // port: 3000,
}
`
}
