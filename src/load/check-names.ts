import type { FileConfig } from '../core/mock/file-config.ts'
import { isRecord } from '../core/json/json.ts'
import { toRelation } from '../core/fixtures/relation-options.ts'
import { suggest } from '../core/errors/nearest.ts'
import type { Diagnostic } from '../core/fixtures/source.ts'

/** The options that name resources, and which they name. */
const named: Record<string, (config: FileConfig) => string[]> = {
  id: ({ id }) => namesIn(id),
  relations: ({ relations = {} }) => [
    ...Object.keys(relations),
    ...Object.values(relations).flatMap((keys) =>
      Object.values(keys).map((one) => toRelation(one).to),
    ),
  ],
  cacheControl: ({ cacheControl }) => namesIn(cacheControl),
  preconditions: ({ preconditions }) => (Array.isArray(preconditions) ? preconditions : []),
}

/**
 * Finds the resources that options name and no fixture holds. Each is a warning, as its file may still
 * be to come.
 */
export function findUnknown(config: FileConfig, known: readonly string[]): Diagnostic[] {
  return Object.entries(named).flatMap(([option, namesOf]) => {
    const names = new Set(namesOf(config).filter((name) => !known.includes(name)))
    return [...names].map((name) => ({
      severity: 'warning' as const,
      file: 'the configuration',
      message: `Failed to find "${name}", which the option "${option}" names: there is no such resource.`,
      advice: suggest(name, known),
    }))
  })
}

/** The names of what is said for each by its name; `default` stands for the rest. */
function namesIn(choice: unknown): string[] {
  return isRecord(choice) ? Object.keys(choice).filter((name) => name !== 'default') : []
}
