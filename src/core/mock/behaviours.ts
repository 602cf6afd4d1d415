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

/** Creates the behaviours of a mock, or of a fork with the contexts `origins`. @throws MockError for an unknown hook */
export function createBehaviours(
  use: readonly Behaviour[],
  shared: Omit<MockContext, 'random' | 'origin' | 'stored'>,
  draw: (name: string) => Random,
  origins: readonly MockContext[] | undefined,
  openMap?: OpenMap,
): { contexts: MockContext[]; behaviours: NamedHooks[] } {
  const contexts: MockContext[] = []
  const behaviours = use.map((behaviour, index) => {
    const { name } = behaviour
    // Behaviours of the same name draw different random numbers, and store different maps.
    const number = use.slice(0, index).filter((one) => one.name === name).length
    const random = draw(name + (number || ''))
    const context: MockContext = { ...shared, random, origin: origins?.[index] }
    if (openMap) {
      // A fork, as for the header of a scenario, lives in memory, with the limits of a mock that has storage.
      context.stored = (map) => (origins ? new Map() : openMap(toMapName(name, number, map)))
    }
    contexts.push(context)
    const hooks = behaviour.create(context)
    if (!origins) checkHooks(name, hooks)
    return { name, ...hooks }
  })
  return { contexts, behaviours }
}

/** Opens the stored map of a name: its entries outlive the process. */
export type OpenMap = <Value>(name: string) => Map<string, Value>

/** The name of a stored map: the behaviour, its number among the behaviours of that name, and its own name. */
export function toMapName(behaviour: string, number: number, map: string): string {
  return `${behaviour} ${number} ${map}`
}

/** The descriptions of a resource's records by the hooks `describe` of the behaviours, in the order of `use`. */
export function descriptionsOf(
  behaviours: readonly Pick<Hooks, 'describe'>[],
  resource: string,
): RecordDescription[] {
  return behaviours.flatMap((one) => ownValue(one.describe?.().records ?? {}, resource) ?? [])
}

/** Creates a function like {@link descriptionsOf} that asks the behaviours once for each resource, and again after an edit of schemas. */
export function createDescriptions(
  behaviours: () => readonly NamedHooks[],
): (resource: string) => readonly RecordDescription[] {
  const known = new Map<string, readonly RecordDescription[]>()
  let before: unknown[] = []
  return (resource) => {
    const schemas = behaviours().filter(({ name }) => name === 'schema')
    const now = schemas.map((one) => one.describe?.())
    if (now.some((one, at) => one !== before[at])) known.clear()
    before = now
    const found = known.get(resource) ?? descriptionsOf(behaviours(), resource)
    known.set(resource, found)
    return found
  }
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
  login: isCallable,
  page: isObject,
  saved: isObject,
  reset: isCallable,
  end: isCallable,
}

const stageChecks = Object.fromEntries(stages.map((stage) => [stage, isCallable])) as Readonly<
  Record<Stage, Check>
>
