// The entry `fixtura/vite`: a Vite plugin that adds fixtures or a mock to a project's servers and pages.
export { fixtura } from './faces/vite/plugin.ts'
export type { FixturaOptions } from './faces/vite/options.ts'
