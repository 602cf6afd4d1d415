import { addRule } from '../../core/control/routes.ts'
import { checkOptions, isCallable, isListOf, isObject, isText } from '../../core/errors/check.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import { internalsOf, type MockInternals } from '../../core/http/contract/internals.ts'
import type { AnyMock } from '../../core/http/contract/any-mock.ts'
import { toRecord } from '../../core/mock/db.ts'
import type { StartOptions } from '../browser/start-mock.ts'

/**
 * Creates annotations of Storybook's preview that give each story a fork of the mock, which `parameters.mock` changes.
 * When the story changes, its pending requests fail. Loaders, `play` and decorators get the fork as `loaded.mock`. Where
 * there are no service workers, as in jsdom, the fork answers requests to the mock: `handlers(mock)`, `mock.fetch`.
 * @throws MockError when an option is wrong; a story fails when its parameters are
 * @example export default { ...mockStories(mock) }
 */
export function mockStories(mock: AnyMock, options: StoryOptions = {}): MockStories {
  const internals = internalsOf(mock, 'the mock of mockStories')
  const ends = new WeakMap<object, () => void>()

  async function load({ parameters }: StoryContext): Promise<{ mock: unknown }> {
    const fork = internals.fork()
    prepare(fork, parameters['mock'])
    const stopDiverting = internals.divert(() => fork)
    let abort = (): void => undefined
    ends.set(fork, () => {
      stopDiverting()
      abort()
      fork.end()
    })
    if ('serviceWorker' in (globalThis.navigator ?? {})) {
      const { startMock } = await import('../browser/start-mock.ts')
      ;({ abort } = await startMock(fork, { panel: true, ...options }))
    }
    return { mock: fork }
  }

  return {
    loaders: [load],
    beforeEach:
      ({ loaded }) =>
      () =>
        ends.get(loaded['mock'] as object)?.(),
  }
}

/** The annotations for `.storybook/preview.ts`. */
export interface MockStories {
  loaders: ((context: StoryContext) => Promise<{ mock: unknown }>)[]
  beforeEach(context: { loaded: Record<string, unknown> }): () => void
}

/** The options of `startMock` but `persist`, as each story begins with the fixtures. `panel` is true without a value. */
export type StoryOptions = Omit<StartOptions, 'persist'>

/** A story, as far as the mock needs it. */
interface StoryContext {
  parameters: Readonly<Record<string, unknown>>
}

/** The changes of a story to its fork, as `parameters.mock`; a function gets the fork. */
export interface MockParameters {
  /** The scenario that is active, of the behaviour `scenarios()`. */
  scenario?: string
  /** The data of resources, in place of the fixtures; undefined keeps those of another level. */
  data?: Readonly<Record<string, readonly object[] | object>>
  /** Rules as `POST /__mock/rules` takes them: `{ on: 'GET /posts', status: 500 }`. */
  rules?: readonly object[]
}

/** Changes a fork as the parameters of a story say. @throws MockError when they are wrong */
function prepare(fork: MockInternals, parameters: unknown): void {
  if (parameters === undefined) return
  if (isCallable[0](parameters)) {
    ;(parameters as (mock: MockInternals) => void)(fork)
    return
  }
  checkOptions('the parameters "mock" of the story', parameters, {
    scenario: isText,
    data: isObject,
    rules: isListOf(isObject),
  })
  const { scenario, data = {}, rules = [] } = parameters as MockParameters
  if (scenario !== undefined) {
    const scenarios = fork.behaviours.find(({ name }) => name === 'scenarios')
    if (!scenarios)
      throw new MockError(
        `Failed to choose the scenario "${scenario}": the mock has no scenarios. Please add scenarios() to "use".`,
      )
    void scenarios.controls?.['PUT']?.(scenario)
  }
  for (const [name, value] of Object.entries(data)) replaceData(fork, name, value)
  for (const rule of rules) addRule(fork, rule)
}

function replaceData({ store, db }: MockInternals, name: string, value: unknown): void {
  const resource = store.resources.get(name)
  if (resource?.kind === 'singleton') {
    store.replaceSingleton(name, toRecord(value))
    return
  }
  const collection = (db as Record<string, { clear(): void; insert(record: object): void }>)[name]
  if (!collection || !Array.isArray(value))
    throw new MockError(
      `Failed to set the data of "${name}": it is a list of records. Please give one.`,
    )
  collection.clear()
  for (const record of value as object[]) collection.insert(record)
}
