import { createPipeline, type Pipeline, type PipelineOptions } from './pipeline.ts'
import { type RuledWorld, toHooks } from './rule-hooks.ts'

/** What a pipeline behind rules, which go before the hooks, is made of. */
export interface RuledOptions extends PipelineOptions, RuledWorld {}

/** Creates a pipeline that has rules for as long as there are some, as only who has them pays for them. */
export function createRuledPipeline(options: RuledOptions): Pipeline {
  const usual = createPipeline(options)
  let ruled: Pipeline | undefined
  return (request, access, came) => {
    if (options.rules.isEmpty()) return usual(request, access, came)
    ruled ??= createPipeline({ ...options, hooks: [toHooks(options), ...options.hooks] })
    return ruled(request, access, came)
  }
}
