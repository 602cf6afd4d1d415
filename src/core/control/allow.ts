/** The header `Allow` for the keys of controls, such as `GET` and `DELETE :name`. */
export function toAllow(keys: readonly string[]): [name: string, value: string] {
  const methods = keys.map((key) => key.split(' ', 1)[0] ?? '')
  return ['Allow', [...new Set(methods)].join(', ')]
}
