import { wrong } from '../errors/check.ts'
import { isRecord } from '../json/json.ts'
import { type ResourceOptions, subjectOf } from '../resources/options.ts'
import type { MockConfig } from './config.ts'

/**
 * Moves the options of resources that are also options of the mock to their places there: `id`, `relations`,
 * `cacheControl` and `preconditions`. @throws MockError for an option that stands in both places
 */
export function mergeResources<Config extends MergedConfig>(config: Config): Config {
  if (!config.resources) return config
  const merged: MergedConfig = { ...config }
  const resources: Record<string, ResourceOptions> = {}
  for (const [name, own] of Object.entries(config.resources)) {
    const { id, relations, cacheControl, preconditions, ...rest } = own
    resources[name] = rest
    if (id !== undefined) merged.id = addTo(merged.id, name, id, 'id')
    if (cacheControl !== undefined) {
      merged.cacheControl = addTo(merged.cacheControl, name, cacheControl, 'cacheControl')
    }
    if (relations !== undefined) {
      if (Object.hasOwn(merged.relations ?? {}, name)) throw inBothPlaces(name, 'relations')
      merged.relations = { ...merged.relations, [name]: relations }
    }
    if (preconditions === undefined) continue
    const all = merged.preconditions ?? false
    if (all === true || (all && all.includes(name))) throw inBothPlaces(name, 'preconditions')
    if (preconditions) merged.preconditions = [...(all || []), name]
  }
  return { ...config, ...merged, resources }
}

type MergedConfig = Pick<
  MockConfig,
  'id' | 'relations' | 'cacheControl' | 'preconditions' | 'resources'
>

function addTo(
  option: string | Readonly<Record<string, string>> | undefined,
  name: string,
  value: string,
  label: string,
): Record<string, string> {
  if (typeof option === 'string') return { default: option, [name]: value }
  if (isRecord(option) && Object.hasOwn(option, name)) throw inBothPlaces(name, label)
  return { ...option, [name]: value }
}

/** Creates the error for an option of a resource that also stands at its own place. */
export function inBothPlaces(name: string, option: string): Error {
  return wrong(
    subjectOf(name),
    `"${option}" of "${name}" stands in "resources" and in "${option}". Please keep one of them.`,
  )
}
