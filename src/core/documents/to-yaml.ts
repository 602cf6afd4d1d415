import { stringify } from 'yaml'

/** Writes a document as YAML 1.2 that parsers of YAML 1.1 read as the same value. */
export function toYaml(value: unknown): string {
  return stringify(value, { aliasDuplicateObjects: false, compat: 'yaml-1.1', lineWidth: 0 })
}
