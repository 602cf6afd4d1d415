import type { ResourceRules } from '../http/contract/service.ts'
import type { DataCheck } from '../resources/check-data.ts'
import { resolveResources, withBodies } from '../resources/resolve.ts'
import { withViewed } from '../resources/options.ts'
import type { MockConfig } from './config.ts'
import { mergeResources } from './merge-resources.ts'

/** The configuration of a mock in which every option has its place: `resources` is part of the others. */
export interface CoreConfig extends Omit<MockConfig, 'resources'> {
  rules: Readonly<Record<string, ResourceRules>>
  /** Checks the names of fields and relations in `resources` against the data. */
  checkData?: DataCheck
}

/** Resolves the option `resources`. @throws MockError for an option that is wrong, or stands in two places */
export function toCoreConfig(given: MockConfig): CoreConfig {
  const { resources: named, ...config } = mergeResources(given)
  if (!named) return { ...config, rules: {} }
  const resources = withViewed(named)
  const dialect = withBodies(config.dialect, resources)
  return {
    ...config,
    ...(dialect && { dialect }),
    ...resolveResources(resources, config),
  }
}
