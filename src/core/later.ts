/** What no plain read needs, in one file, so that it is loaded as one. */
export { rest } from './dialects/rest.ts'
export { toLimits } from './http/limits.ts'
export { createRuledPipeline } from './http/ruled-pipeline.ts'
export { explain, findNear } from './near-misses.ts'
export { createLinks } from './store/links.ts'
export { reloadAll } from './store/reload.ts'
