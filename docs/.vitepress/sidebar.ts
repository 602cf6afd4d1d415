/** The pages of the site in the order of the sidebar. The description of a page is in its front matter. */
export const sidebar: Section[] = [
  {
    text: 'Set up',
    items: [
      { text: 'Vite and the browser', link: '/set-up/vite-and-browser' },
      { text: 'Coding agents', link: '/set-up/mcp' },
    ],
  },
  {
    text: 'Guides',
    items: [
      { text: 'Fixture files', link: '/guides/files' },
      { text: 'Tests', link: '/guides/testing' },
      { text: 'Tests against a running mock', link: '/guides/remote' },
      { text: 'Errors, delays, live data', link: '/guides/traffic' },
      { text: 'Data and users', link: '/guides/behaviours' },
      { text: 'Login', link: '/guides/login' },
      { text: 'Files and uploads', link: '/guides/uploads' },
      { text: 'Resources', link: '/guides/resources' },
      { text: 'Generated data', link: '/guides/generate' },
      { text: 'Server-side rendering', link: '/guides/ssr' },
      { text: 'A mock for the team', link: '/guides/deploy' },
      { text: 'Cloudflare Workers', link: '/guides/worker' },
    ],
  },
  {
    text: 'Speak like your back end',
    items: [
      { text: 'OpenAPI', link: '/speak/openapi-source' },
      { text: 'Supabase', link: '/speak/supabase' },
      { text: 'GraphQL', link: '/speak/graphql' },
      { text: 'JSON:API', link: '/speak/json-api' },
      { text: 'Strapi, Directus, PocketBase', link: '/speak/content-systems' },
      { text: 'Names and envelopes', link: '/speak/dialects' },
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
      { text: 'Mirage, @msw/data, MSW', link: '/coming-from/mirage-msw-data' },
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: 'Requests', link: '/reference/requests' },
      { text: 'Configuration', link: '/reference/configuration' },
      { text: 'Write your own', link: '/reference/write-your-own' },
    ],
  },
  { text: 'How it works', link: '/how-it-works' },
]

/** A group of pages, or a page that stands alone. */
export type Section = Page | { text: string; items: Page[] }

/** A page: its name in the sidebar and its path without an extension. */
export interface Page {
  text: string
  link: string
}
