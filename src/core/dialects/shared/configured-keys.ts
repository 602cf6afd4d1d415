import { toRelation } from '../../fixtures/relation-options.ts'
import { ownValue } from '../../json/json.ts'
import { keyStem } from '../../text/foreign-keys.ts'
import type { Data } from '../contract/dialect.ts'

/** The foreign keys that the option `relations` configures, as the json-server dialects relate records themselves. */
export function configuredKeys(
  child: string,
  { relations, foreignKeySuffix }: KeyOptions,
): ConfiguredKey[] {
  return Object.entries(ownValue(relations, child) ?? {}).map(([key, option]) => {
    const { to: parent, as: alias = keyStem(key, foreignKeySuffix) ?? key } = toRelation(option)
    return { key, parent, alias }
  })
}

/** Returns the configured foreign key of a collection that references a parent collection, if any. */
export function configuredKeyTo(
  parent: string,
  child: string,
  options: KeyOptions,
): string | undefined {
  return configuredKeys(child, options).find((one) => one.parent === parent)?.key
}

/** A foreign key that the option `relations` configures. */
export interface ConfiguredKey {
  key: string
  /** The collection that the key references. */
  parent: string
  /** The name of the embedded parent. */
  alias: string
}

type KeyOptions = Pick<Data, 'relations' | 'foreignKeySuffix'>

/** The suffix of foreign keys, unless another suffix is configured. */
export const usualSuffix = 'Id'

/** Longer names are never converted between singular and plural, to bound the time of regular expressions. */
export const maxNameLength = 200
