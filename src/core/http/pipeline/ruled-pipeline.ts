import type { Access } from '../contract/answerer.ts'
import type { Hooks } from '../contract/behaviour.ts'
import type { MaybePromise, MockRequest, MockResponse } from '../contract/messages.ts'
import { createPipeline, type Pipeline, type PipelineOptions } from './pipeline.ts'
import { type RuledWorld, toHooks } from '../rules/rule-hooks.ts'

/** What a pipeline behind rules, which go before the hooks, is made of. */
export interface RuledOptions extends PipelineOptions, RuledWorld {
  hooks: readonly (Hooks & { name: string })[]
}

/**
 * Creates the pipeline of a world: behaviours may lead a request to another first, and there are rules
 * in it for as long as there are some, as only who has them pays for them.
 */
export function createRuledPipeline(options: RuledOptions): Pipeline {
  const { hooks, rules } = options
  const usual = createPipeline(options)
  const diverting = hooks.filter(({ divert }) => divert)
  let ruled: Pipeline | undefined
  return (request, access, came) => {
    const diverted = divertOnce(diverting, request, access)
    if (diverted) return diverted
    if (rules.isEmpty()) return usual(request, access, came)
    ruled ??= createPipeline({ ...options, hooks: [toHooks(options), ...hooks] })
    return ruled(request, access, came)
  }
}

/**
 * Lets another mock answer where a behaviour names one. A fork has the behaviours of its origin, which
 * must not fork again for the same request.
 */
function divertOnce(
  behaviours: RuledOptions['hooks'],
  request: MockRequest,
  access: Access,
): MaybePromise<MockResponse> | undefined {
  const { diverted = [] } = request
  for (const { name, divert } of behaviours) {
    const other = diverted.includes(name) ? undefined : divert?.(request)
    if (other) return other.handle({ ...request, diverted: [...diverted, name] }, access)
  }
  return undefined
}
