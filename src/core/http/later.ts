/** What no plain read needs, in one file, so that it is loaded as one. */
export { createLinks } from '../store/links.ts'
export { reloadAll } from '../store/reload.ts'
export { createRuledPipeline } from './ruled-pipeline.ts'
