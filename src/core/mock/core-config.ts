import type { ResourceRules } from '../http/contract/service.ts'
import type { DataCheck } from '../resources/check-data.ts'
import { resolveResources } from '../resources/resolve.ts'
import type { MockConfig } from './config.ts'

/** The configuration of a mock in which every option has its place: `resources` is part of the others. */
export interface CoreConfig extends Omit<MockConfig, 'resources'> {
  rules: Readonly<Record<string, ResourceRules>>
  /** Checks the names of fields and relations in `resources` against the data. */
  checkData?: DataCheck
}

/** Resolves the option `resources`. @throws MockError for an option that is wrong */
export function toCoreConfig({ resources, ...config }: MockConfig): CoreConfig {
  if (!resources) return { ...config, rules: {} }
  const { behaviours, last, ...resolved } = resolveResources(resources)
  return { ...config, use: [...behaviours, ...(config.use ?? []), ...last], ...resolved }
}
