import type { FileConfig } from '../core/mock/file-config.ts'
import { isRecord } from '../core/json/json.ts'
import { toRelation } from '../core/fixtures/relation-options.ts'
import { suggest } from '../core/errors/nearest.ts'
import type { Diagnostic } from '../core/fixtures/source.ts'

/**
 * Finds resource names in options of the configuration that no fixture has, and returns a warning for each.
 * They are no errors, because the file of such a resource can be added later.
 */
export function findUnknownNames(config: FileConfig, known: readonly string[]): Diagnostic[] {
  return Object.entries(namesByOption).flatMap(([option, namesOf]) => {
    const names = new Set(namesOf(config).filter((name) => !known.includes(name)))
    return [...names].map((name) => ({
      severity: 'warning' as const,
      file: 'the configuration',
      message: `Failed to find "${name}", which the option "${option}" names: there is no such resource.`,
      advice: suggest(name, known),
    }))
  })
}

/** The options of the configuration that refer to resources by name, each with a function that lists the names. */
const namesByOption: Record<string, (config: FileConfig) => string[]> = {
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

/** The keys of an option that may be set by resource; `default` is the key for all others. */
function namesIn(option: unknown): string[] {
  return isRecord(option) ? Object.keys(option).filter((name) => name !== 'default') : []
}
