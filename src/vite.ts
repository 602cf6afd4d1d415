export { fixtura } from './faces/vite/plugin.ts'
export type { FixturaOptions } from './faces/vite/options.ts'
