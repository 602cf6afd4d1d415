import { ownValue } from './json.ts'

/** The value for a name where one stands for all or each has its own. */
export function byName<T extends string>(
  option: T | Readonly<Record<string, T>> | undefined,
  name: string,
  fallback: T,
): T {
  if (typeof option !== 'object') return option ?? fallback
  return ownValue(option, name) ?? option['default'] ?? fallback
}
