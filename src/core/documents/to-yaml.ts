/** Writes a JSON value as YAML 1.2 that parsers of YAML 1.1 read as the same value. Loads the package `yaml`. */
export async function toYaml(value: unknown): Promise<string> {
  const { stringify } = await import('yaml')
  return stringify(value, { aliasDuplicateObjects: false, compat: 'yaml-1.1', lineWidth: 0 })
}
