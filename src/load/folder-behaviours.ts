import type {
  Scenario,
  Scenarios as ScenariosBehaviour,
} from '../core/behaviours/scenarios/scenarios.ts'
import { configError, type MockError } from '../core/errors/mock-error.ts'
import type { Behaviour } from '../core/http/contract/behaviour.ts'
import type { Hooks } from '../core/http/contract/hooks.ts'
import { isSame, type Json } from '../core/json/json.ts'
import { suggest } from '../core/errors/nearest.ts'
import { toData } from '../core/fixtures/source.ts'
import type { LoadResult } from '../loader/load.ts'
import type { FileConfig } from '../core/mock/file-config.ts'

/** The behaviours of a folder: schemas (`posts.schema.json`) and scenarios (`_scenarios`). */
export interface FolderBehaviours {
  behaviours: Behaviour[]
  /**
   * Takes over changed schemas and scenarios, and returns their names: `posts.schema`, `_scenarios/empty`.
   * @throws MockError when a schema is wrong; the last good schemas stay
   */
  update(files: FolderFiles): Promise<string[]>
}

type FolderFiles = Pick<LoadResult, 'sources' | 'schemas' | 'scenarios'>

/** Creates the behaviours of folders. @throws MockError for a wrong schema, or an unknown `scenario` */
export async function createFolderBehaviours(
  files: FolderFiles,
  config: FileConfig,
): Promise<FolderBehaviours> {
  const schemas = createSchemas()
  const scenarios = createScenarios()
  await schemas.update(files)
  scenarios.update(files)
  return {
    behaviours: [schemas.behaviour, ...(await scenarios.open(config))],
    update: async (files) => [...(await schemas.update(files)), ...scenarios.update(files)],
  }
}

interface Schemas {
  behaviour: Behaviour
  update(files: FolderFiles): Promise<string[]>
}

function createSchemas(): Schemas {
  let schemasBefore: Record<string, Json> = {}
  let current: Behaviour | undefined
  return {
    behaviour: replaceable(
      'schema',
      () => current,
      (latest) => ({
        check: (...write) => latest()?.check?.(...write),
        describe: () => latest()?.describe?.() ?? nothing,
      }),
    ),
    async update({ schemas, sources }) {
      const all = Object.entries(schemas)
      // Without schemas, the sources are not listed: the time of an update depends on the changed files alone.
      const names = new Set(all.length === 0 ? [] : sources.map(({ name }) => name))
      const used = all.filter(([name]) => names.has(name))
      const now = Object.fromEntries(used)
      const changed = findChanged(schemasBefore, now)
      if (changed.length === 0) return []
      // Assigned before `schema` can throw, so that a wrong schema is reported once.
      schemasBefore = now
      const { schema } = await import('../core/behaviours/schema/schema.ts')
      current = schema(now as Parameters<typeof schema>[0])
      return changed.map((name) => `${name}.schema`)
    },
  }
}

const nothing = {}

/** Creates a behaviour with hooks that call those of the current behaviour, which changes meanwhile. */
export function replaceable(
  name: string,
  current: () => Behaviour | undefined,
  toHooks: (latest: () => Hooks | undefined) => Hooks,
): Behaviour {
  return {
    name,
    create(world) {
      let created: Behaviour | undefined
      let hooks: Hooks | undefined
      return toHooks(() => {
        const now = current()
        if (now !== created) hooks = now?.create(world)
        created = now
        return hooks
      })
    },
  }
}

interface Scenarios {
  open(config: FileConfig): Promise<Behaviour[]>
  update(files: FolderFiles): string[]
}

function createScenarios(): Scenarios {
  let sets: Readonly<Record<string, Scenario>> = {}
  let behaviour: ScenariosBehaviour | undefined
  return {
    async open({ use = [], scenario }) {
      const names = Object.keys(sets)
      const own = use.find(isScenarios)
      if (!own && scenario !== undefined && !Object.hasOwn(sets, scenario)) {
        throw unknownScenario(scenario, names)
      }
      if (!own && names.length === 0) return []
      const { scenarios } = await import('../core/behaviours/scenarios/scenarios.ts')
      behaviour = own ?? scenarios()
      behaviour.extend(sets, scenario)
      return own ? [] : [behaviour]
    },
    update(files) {
      const now = Object.fromEntries(
        Object.entries(files.scenarios).map(([name, sources]) => [
          name,
          { fixtures: toData(sources) },
        ]),
      )
      const changed = findChanged(sets, now)
      sets = now
      behaviour?.extend(sets)
      return changed.map((name) => `_scenarios/${name}`)
    },
  }
}

/** Whether a behaviour can take the scenarios of a folder. */
export function isScenarios(behaviour: Behaviour): behaviour is ScenariosBehaviour {
  return behaviour.name === 'scenarios' && 'extend' in behaviour
}

function findChanged(before: Record<string, unknown>, now: Record<string, unknown>): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)])
  return [...names].filter((name) => !isSame(before[name] as Json, now[name] as Json))
}

function unknownScenario(name: string, known: readonly string[]): MockError {
  return configError(
    `Failed to find the scenario "${name}" below _scenarios. ${suggest(name, known)}`,
  )
}
