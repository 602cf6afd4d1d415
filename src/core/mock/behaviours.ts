import {
  type Check,
  checkOptions,
  isCallable,
  isListOf,
  isMapOf,
  isObject,
} from '../errors/check.ts'
import type { Behaviour, MockContext } from '../http/contract/behaviour.ts'
import { type Hooks, type NamedHooks, type Stage, stages } from '../http/contract/hooks.ts'
import { ownValue } from '../json/json.ts'
import type { Random } from '../time/random.ts'
import type { RecordDescription } from '../types/record-description.ts'

/**
 * Creates the behaviours of a mock, or of a fork with the contexts `origins`; `draw` returns the random
 * numbers of a name.
 * @throws MockError for a hook with an unknown name
 */
export function createBehaviours(
  use: readonly Behaviour[],
  shared: Omit<MockContext, 'random' | 'origin'>,
  draw: (name: string) => Random,
  origins: readonly MockContext[] | undefined,
): { contexts: MockContext[]; behaviours: NamedHooks[] } {
  const contexts: MockContext[] = []
  const behaviours = use.map((behaviour, index) => {
    const { name } = behaviour
    // Behaviours of the same name draw different random numbers.
    const duplicates = use.slice(0, index).filter((one) => one.name === name)
    const random = draw(name + (duplicates.length || ''))
    const context: MockContext = { ...shared, random, origin: origins?.[index] }
    contexts.push(context)
    const hooks = behaviour.create(context)
    if (!origins) checkHooks(name, hooks)
    return { name, ...hooks }
  })
  return { contexts, behaviours }
}

/** The descriptions of a resource's records by the hooks `describe` of the behaviours, in the order of `use`. */
export function descriptionsOf(
  behaviours: readonly Pick<Hooks, 'describe'>[],
  resource: string,
): RecordDescription[] {
  return behaviours.flatMap((one) => ownValue(one.describe?.().records ?? {}, resource) ?? [])
}

/** Checks hooks: one with a misspelt name would never run. @throws MockError that suggests the nearest name */
function checkHooks(name: string, hooks: Hooks): void {
  const subject = `the hooks of the behaviour "${name}"`
  checkOptions(subject, hooks, hookChecks)
  if (hooks.at) checkOptions(`${subject}, "at"`, hooks.at, stageChecks)
}

const hookChecks: Readonly<Record<keyof Hooks, Check>> = {
  at: isObject,
  list: isCallable,
  view: isCallable,
  publish: isCallable,
  translate: isCallable,
  beforeWrite: isCallable,
  write: isCallable,
  check: isCallable,
  routes: isListOf(isObject),
  controls: isMapOf(isCallable),
  divert: isCallable,
  reroute: isCallable,
  describe: isCallable,
  saved: isObject,
  reset: isCallable,
  end: isCallable,
}

const stageChecks = Object.fromEntries(stages.map((stage) => [stage, isCallable])) as Readonly<
  Record<Stage, Check>
>
