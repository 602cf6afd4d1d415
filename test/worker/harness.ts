/** Runs inside of `workerd`: a Durable Object for each row of a table, whose mock the table creates. */
import { copyFixture, toResources } from '../../src/core/fixtures/fixtures.ts'
import type { Behaviour } from '../../src/core/http/contract/behaviour.ts'
import { sessionNameHeader } from '../../src/faces/worker/calls.ts'
import { toWorkerSettings } from '../../src/faces/worker/options.ts'
import type {
  DurableObject,
  ObjectNamespace,
  ObjectState,
  WorkerEnv,
} from '../../src/faces/worker/runtime.ts'
import { createObjectClass } from '../../src/faces/worker/session-object.ts'
import { anything, createTable, type TableOptions } from './table-list.ts'

export { anything, contractOf, describe } from './table-list.ts'

/** A call of a function on a rule: `['fail', [500]]`. */
type Call = [name: string, values: unknown[]]

/** A mock as a table creates it: its options, and the calls that added rules. */
interface Prepared {
  fetch: unknown
  options: TableOptions
  rules: Call[][]
}

/** Notes the options of a mock, and the rules that a table adds. */
export function createMock(options: TableOptions): unknown {
  const rules: Call[][] = []
  const prepared: Prepared = { fetch: anything, options, rules }
  return Object.assign(prepared, {
    reset: () => void rules.splice(0),
    on(...values: unknown[]) {
      const calls: Call[] = [['on', values]]
      rules.push(calls)
      const rule: unknown = new Proxy(
        {},
        {
          get:
            (_, name) =>
            (...given: unknown[]) => {
              calls.push([String(name), given])
              return rule
            },
        },
      )
      return rule
    },
  })
}

/** A behaviour that adds rules before the first request; those of an earlier process are stored. */
function addRules(rules: Call[][]): Behaviour {
  return {
    name: 'rules of the table',
    create(world) {
      const added = world.stored?.<boolean>('added')
      return {
        divert() {
          if (!added || added.has('')) return undefined
          added.set('', true)
          for (const calls of rules) {
            let target: object = world.host()
            for (const [name, values] of calls) {
              const call = (target as Record<string, (...values: unknown[]) => object>)[name]
              target = call?.apply(target, values) ?? target
            }
          }
          return undefined
        },
      }
    },
  }
}

/** The object of a row. */
export class MockSession implements DurableObject {
  readonly #state: ObjectState
  readonly #env: WorkerEnv
  #object: DurableObject | undefined
  /** Whether a rule answers with a function, which lives in memory; a worker has rules of its control alone. */
  #hasFunctions = false

  constructor(state: ObjectState, env: WorkerEnv) {
    this.#state = state
    this.#env = env
  }

  fetch(request: Request): Promise<Response> {
    this.#object ??= this.#open(decodeURIComponent(request.headers.get('x-table') ?? ''))
    if (request.headers.has('x-restart')) {
      if (!this.#hasFunctions) this.#state.abort('restart')
      return Promise.resolve(new Response())
    }
    const headers = new Headers(request.headers)
    headers.delete('x-table')
    headers.delete('x-object')
    headers.set(sessionNameHeader, '')
    return this.#object.fetch(new Request(request, { headers }))
  }

  async alarm(): Promise<void> {
    await this.#object?.alarm()
  }

  #open(title: string): DurableObject {
    const created = createTable(title)
    const { options, rules } =
      'fetch' in created
        ? (created as unknown as Prepared)
        : { options: created, rules: [] as Call[][] }
    this.#hasFunctions = rules.some((calls) =>
      calls.some(([, values]) => values.some((value) => typeof value === 'function')),
    )
    const use = [...(options.use ?? []), ...(rules.length > 0 ? [addRules(rules)] : [])]
    const settings = toWorkerSettings({ ...options, use }, {})
    const bundled = toResources(options.fixtures, copyFixture)
    const Class = createObjectClass(settings, () => bundled)
    return new Class(this.#state, this.#env)
  }
}

/** The worker, which passes each request to the object of its row. */
export const worker = {
  fetch(request: Request, env: WorkerEnv): Promise<Response> {
    const objects = env['MOCK'] as ObjectNamespace
    const name = request.headers.get('x-object') ?? ''
    return objects.get(objects.idFromName(name)).fetch(request)
  },
}
