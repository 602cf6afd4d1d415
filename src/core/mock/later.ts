/** What no plain read needs, in one file, so that it is loaded as one. */
export { rest } from '../dialects/rest/rest.ts'
export { toLimits } from '../http/contract/limits.ts'
export { createRuledPipeline } from '../http/pipeline/ruled-pipeline.ts'
export { explain, findNear } from '../log/near-misses.ts'
export { createLinks } from '../store/relations/links.ts'
export { reloadAll } from '../store/reload/reload.ts'
