import { type Check, checkOptions } from '../check.ts'
import { MockError } from '../errors.ts'
import { suggest } from '../nearest.ts'
import type { Store } from '../store/store.ts'

/**
 * Checks options that are given by resource: at once their own names and kinds, and in the first
 * world, with the function that it returns, that there are such resources.
 * @throws MockError that suggests the nearest name
 */
export function checkByResource(
  behaviour: string,
  options: Readonly<Record<string, unknown>>,
  checks?: Readonly<Record<string, Check>>,
): (store: Store) => void {
  const subject = `the options of "${behaviour}"`
  checkOptions(subject, options)
  for (const [name, own] of Object.entries(options)) {
    if (checks) checkOptions(`${subject} for "${name}"`, own, checks)
  }
  let isChecked = false
  return (store) => {
    // A fork may have lost a resource since, by an edit of the fixtures.
    if (isChecked) return
    isChecked = true
    for (const name of Object.keys(options)) {
      if (store.resources.has(name)) continue
      const advice = suggest(name, [...store.resources.keys()])
      throw new MockError(`Failed to read ${subject}: there is no resource "${name}". ${advice}`, {
        code: 'CONFIG_INVALID',
      })
    }
  }
}

/** The options of a resource, where it has some. */
export function optionsOf<T>(options: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(options, name) ? options[name] : undefined
}
