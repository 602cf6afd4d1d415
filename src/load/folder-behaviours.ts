import type { Scenario, Scenarios as ScenariosBehaviour } from '../core/behaviours/scenarios.ts'
import { MockError } from '../core/errors/mock-error.ts'
import type { Behaviour } from '../core/http/contract/behaviour.ts'
import { isSame, type Json } from '../core/json/json.ts'
import { suggest } from '../core/errors/nearest.ts'
import { toData } from '../core/fixtures/source.ts'
import type { LoadResult } from '../loader/load.ts'
import type { FileConfig } from '../core/mock/file-config.ts'

/** What folders hold besides records: `posts.schema.json`, and scenarios below `_scenarios`. */
export interface FolderRules {
  behaviours: Behaviour[]
  /**
   * Takes over what the folders say now; schemas hold from the next write on. Returns the files' names
   * that have changed.
   * @throws MockError when a schema is wrong; the last good ones stay
   */
  update(files: FolderFiles): Promise<string[]>
}

type FolderFiles = Pick<LoadResult, 'sources' | 'schemas' | 'scenarios'>

/** @throws MockError when a schema is wrong, or when there is no such scenario */
export async function createFolderRules(
  files: FolderFiles,
  config: FileConfig,
): Promise<FolderRules> {
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
  let known: Record<string, Json> = {}
  let current: Behaviour | undefined
  return {
    behaviour: {
      name: 'schema',
      create(world) {
        let seen: Behaviour | undefined
        let check: ReturnType<Behaviour['create']>['check']
        return {
          check(...write) {
            if (current !== seen) check = current?.create(world).check
            seen = current
            return check?.(...write)
          },
        }
      },
    },
    async update({ schemas, sources }) {
      const names = new Set(sources.map(({ name }) => name))
      const used = Object.entries(schemas).filter(([name]) => names.has(name))
      const now = Object.fromEntries(used)
      const changed = findChanged(known, now)
      if (changed.length === 0) return []
      // What is wrong with it is told once.
      known = now
      const { schema } = await import('../core/behaviours/schema/schema.ts')
      current = schema(now as Parameters<typeof schema>[0])
      return changed.map((name) => `${name}.schema`)
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
        throw unknown(scenario, names)
      }
      if (!own && names.length === 0) return []
      const { scenarios } = await import('../core/behaviours/scenarios.ts')
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

function isScenarios(behaviour: Behaviour): behaviour is ScenariosBehaviour {
  return behaviour.name === 'scenarios' && 'extend' in behaviour
}

function findChanged(before: Record<string, unknown>, now: Record<string, unknown>): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)])
  return [...names].filter((name) => !isSame(before[name] as Json, now[name] as Json))
}

function unknown(name: string, known: readonly string[]): MockError {
  const message = `Failed to find the scenario "${name}" below _scenarios. ${suggest(name, known)}`
  return new MockError(message, { code: 'CONFIG_INVALID' })
}
