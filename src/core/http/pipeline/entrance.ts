import type { Part } from '../../structures/part.ts'
import { after } from '../contract/messages.ts'
import { createModified } from '../response/modified.ts'
import type { Pipeline } from './pipeline.ts'
import { createPlainWay, type PlainOptions } from './plain-way.ts'
import type { RuledOptions } from './ruled-pipeline.ts'

/** What lies behind an entrance. */
export interface EntranceOptions extends Omit<RuledOptions & PlainOptions, 'modifiedOf'> {
  /** Where requests wait for the pipeline. */
  gate: Part<{ createRuledPipeline(options: RuledOptions): Pipeline }>
}

/**
 * Creates where requests come in. As long as nothing but plain reads has come, and not many of them, it
 * answers them itself; all else goes through the pipeline, which is loaded for the first that does.
 * Whoever comes meanwhile waits as well, so that none is overtaken.
 */
export function createEntrance(options: EntranceOptions): Pipeline {
  const { service, clock, hooks, rules, gate } = options
  const inside = { ...options, modifiedOf: createModified(service.store.changes, clock) }
  const answerPlain = hooks.length === 0 ? createPlainWay(inside) : undefined
  let whole: Pipeline | undefined
  let left = FEW
  return (request, access) => {
    if (whole) return whole(request, access)
    const isForAll = access.origins === 'any' && !access.check
    if (isForAll && left > 0 && rules.isEmpty() && !gate.isBegun()) {
      const response = answerPlain?.(request)
      if (response) {
        left--
        return response
      }
    }
    const came = clock.now()
    return after(gate.load(), () => {
      whole ??= gate.get().createRuledPipeline(inside)
      return whole(request, access, came)
    })
  }
}

/** Who reads more often than that is better off with the pipeline, which keeps answers. */
const FEW = 32
