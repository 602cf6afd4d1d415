/** The pages of the site in the order of the sidebar. The description of a page is in its front matter. */
export const sidebar: Section[] = [
  {
    text: 'Start',
    items: [
      { text: 'Quick start', link: '/start/quick-start' },
      { text: 'Tutorial 1: serve', link: '/start/tutorial/1-serve' },
      { text: 'Tutorial 2: read', link: '/start/tutorial/2-read' },
      { text: 'Tutorial 3: write', link: '/start/tutorial/3-write' },
      { text: 'Tutorial 4: fail', link: '/start/tutorial/4-fail' },
      { text: 'Tutorial 5: test', link: '/start/tutorial/5-test' },
      { text: 'Tutorial 6: parallel', link: '/start/tutorial/6-parallel' },
    ],
  },
  {
    text: 'Set up',
    items: [
      { text: 'Vite', link: '/set-up/vite' },
      { text: 'In the page', link: '/set-up/in-the-page' },
      { text: 'Next', link: '/set-up/next' },
      { text: 'Nuxt', link: '/set-up/nuxt' },
      { text: 'SvelteKit', link: '/set-up/sveltekit' },
      { text: 'React Router', link: '/set-up/react-router' },
      { text: 'Angular', link: '/set-up/angular' },
      { text: 'Expo and React Native', link: '/set-up/expo' },
      { text: 'Storybook', link: '/set-up/storybook' },
      { text: 'Vitest', link: '/set-up/vitest' },
      { text: 'Jest', link: '/set-up/jest' },
      { text: 'node:test', link: '/set-up/node-test' },
      { text: 'Playwright', link: '/set-up/playwright' },
      { text: 'Cypress', link: '/set-up/cypress' },
      { text: 'Coding agents', link: '/set-up/coding-agents' },
    ],
  },
  {
    text: 'Guides',
    items: [
      { text: 'Change data in a test', link: '/guides/change-data-in-a-test' },
      { text: 'Make it fail', link: '/guides/make-it-fail' },
      { text: 'Log in', link: '/guides/log-in' },
      { text: 'Upload files', link: '/guides/upload-files' },
      { text: 'Live updates', link: '/guides/live-updates' },
      { text: 'Time', link: '/guides/time' },
      { text: 'Parallel tests', link: '/guides/parallel-tests' },
      { text: 'Scenarios', link: '/guides/scenarios' },
      { text: 'Generate data', link: '/guides/generate-data' },
      { text: 'Server-side rendering', link: '/guides/server-side-rendering' },
      { text: 'A mock for the team', link: '/guides/a-mock-for-the-team' },
      { text: 'The studio', link: '/guides/studio' },
    ],
  },
  {
    text: 'Speak like your back end',
    items: [
      { text: 'OpenAPI', link: '/speak/openapi-source' },
      { text: 'Supabase', link: '/speak/supabase' },
      { text: 'GraphQL', link: '/speak/graphql' },
      { text: 'Laravel', link: '/speak/laravel' },
      { text: 'Django REST framework', link: '/speak/django' },
      { text: 'Spring Data REST', link: '/speak/spring' },
      { text: 'NestJS', link: '/speak/nestjs' },
      { text: 'Strapi', link: '/speak/strapi' },
      { text: 'Directus', link: '/speak/directus' },
      { text: 'PocketBase', link: '/speak/pocketbase' },
      { text: 'Content systems', link: '/speak/content-systems' },
      { text: 'JSON:API', link: '/speak/json-api' },
      { text: 'Your own', link: '/speak/your-own' },
    ],
  },
  {
    text: 'Stay true',
    items: [
      { text: 'A real API', link: '/stay-true/record' },
      { text: 'Learning from a recording', link: '/stay-true/learning' },
      { text: 'Drift', link: '/stay-true/drift' },
      { text: 'Types', link: '/stay-true/types' },
      { text: 'OpenAPI documents', link: '/stay-true/openapi' },
    ],
  },
  {
    text: 'Coming from',
    items: [
      { text: 'json-server', link: '/coming-from/json-server' },
      { text: 'MSW handlers', link: '/coming-from/msw' },
      { text: 'Mirage', link: '/coming-from/mirage' },
      { text: '@msw/data', link: '/coming-from/msw-data' },
      { text: 'Mockoon', link: '/coming-from/mockoon' },
      { text: 'Prism', link: '/coming-from/prism' },
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: 'Requests', link: '/reference/requests' },
      { text: 'Configuration', link: '/reference/configuration' },
      { text: 'Fixture files', link: '/reference/files' },
      { text: 'Resources', link: '/reference/resources' },
      { text: 'Options of rest', link: '/reference/rest' },
      { text: 'Control API', link: '/reference/control-api' },
      { text: 'Access and limits', link: '/reference/access-and-limits' },
    ],
  },
  {
    text: 'Reference: tests',
    items: [
      { text: 'Rules', link: '/reference/rules' },
      { text: 'The data', link: '/reference/data' },
      { text: 'The request log', link: '/reference/log' },
      { text: 'Control a running mock', link: '/reference/remote' },
      { text: 'MSW', link: '/reference/msw' },
      { text: 'Playwright', link: '/reference/playwright' },
      { text: 'The Vite plugin', link: '/reference/vite' },
      { text: 'startMock', link: '/reference/start-mock' },
      { text: 'mock mcp', link: '/reference/mcp' },
    ],
  },
  {
    text: 'Reference: behaviours',
    items: [
      { text: 'Behaviours', link: '/reference/behaviours' },
      { text: 'Fields', link: '/reference/fields' },
      { text: 'Schemas', link: '/reference/schemas' },
      { text: 'States', link: '/reference/states' },
      { text: 'Authentication', link: '/reference/auth' },
      { text: 'OpenID Connect', link: '/reference/oidc' },
      { text: 'Delays, faults and limits', link: '/reference/delays-faults-limits' },
      { text: 'Files and uploads', link: '/reference/uploads' },
      { text: 'Webhooks', link: '/reference/webhooks' },
      { text: 'Versions', link: '/reference/versions' },
      { text: 'Idempotency keys', link: '/reference/idempotency' },
      { text: 'Routes and rewrites', link: '/reference/routes' },
      { text: 'Generated values', link: '/reference/generate' },
      { text: 'Cloudflare Workers', link: '/reference/worker' },
    ],
  },
  {
    text: 'Reference: your own code',
    items: [
      { text: 'Write your own', link: '/reference/write-your-own' },
      { text: 'Hooks by purpose', link: '/reference/hooks' },
      { text: 'Errors', link: '/reference/errors' },
      { text: 'Write a dialect', link: '/reference/write-a-dialect' },
    ],
  },
  {
    text: 'Reference: json-server',
    items: [
      { text: 'Flags, files and modules', link: '/reference/json-server' },
      { text: 'Differences', link: '/reference/json-server-differences' },
    ],
  },
  { text: 'It does not work', link: '/it-does-not-work' },
  { text: 'Comparison', link: '/comparison' },
  { text: 'How it works', link: '/how-it-works' },
  { text: 'Speed', link: '/speed' },
  { text: 'Playground', link: '/playground' },
]

/** A group of pages, or a page that stands alone. */
export type Section = Page | { text: string; items: Page[] }

/** A page: its name in the sidebar and its path without an extension. */
export interface Page {
  text: string
  link: string
}
