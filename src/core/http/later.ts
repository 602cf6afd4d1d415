/** What no plain read needs, in one file, so that it is loaded as one. */
export { explain, findNear } from '../near-misses.ts'
export { createLinks } from '../store/links.ts'
export { reloadAll } from '../store/reload.ts'
export { createRuledPipeline } from './ruled-pipeline.ts'
