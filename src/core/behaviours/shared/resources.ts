import { type Check, checkOptions, wrong } from '../../errors/check.ts'
import { nearest, suggest } from '../../errors/nearest.ts'
import { splitPattern } from '../../url/pattern.ts'
import type { Store } from '../../store/store.ts'

/**
 * Checks options that are given by resource: at once their own names and kinds, and in the first
 * world, with the function that it returns, that there are such resources.
 * @throws MockError that suggests the nearest name
 */
export function checkByResource(
  behaviour: string,
  options: Readonly<Record<string, unknown>>,
  checks?: Readonly<Record<string, Check>>,
): (store: Store) => boolean {
  const subject = `the options of "${behaviour}"`
  checkOptions(subject, options)
  for (const [name, own] of Object.entries(options)) {
    if (checks) checkOptions(`${subject} for "${name}"`, own, checks)
  }
  return checkNames(behaviour, Object.keys(options))
}

/**
 * Makes the check that names are those of resources, for the first world alone. It returns whether it
 * was the first.
 */
export function checkNames(behaviour: string, names: readonly string[]): (store: Store) => boolean {
  return forFirst(({ resources }) => {
    for (const name of names) {
      if (resources.has(name)) continue
      const advice = suggest(name, [...resources.keys()])
      throw wrong(`the options of "${behaviour}"`, `there is no resource "${name}". ${advice}`)
    }
  })
}

/**
 * Makes the check that patterns name no resource that is but a slip away from one that there is, for
 * the first world alone; what else they name may be a route, or a resource that is still to come.
 */
export function checkPatterns(
  behaviour: string,
  patterns: readonly string[],
): (store: Store) => boolean {
  return forFirst(({ resources }) => {
    const known = [...resources.keys()]
    for (const text of patterns) {
      const [, path] = splitPattern(text)
      const [name = ''] = path.split(/\/?[:*]/, 1)
      if (name === '' || name.startsWith('/')) continue
      const isThere = known.some(
        (one) => `${one}/`.startsWith(`${name}/`) || `${name}/`.startsWith(`${one}/`),
      )
      const near = isThere ? undefined : nearest(name, known)
      if (near === undefined) continue
      throw wrong(
        `the options of "${behaviour}"`,
        `"${text}" names no resource. Did you mean "${near}"? Please write "/${name}" for a path.`,
      )
    }
  })
}

/** For the first world alone: a fork may have lost a resource since, by an edit of the fixtures. */
function forFirst(check: (store: Store) => void): (store: Store) => boolean {
  let isChecked = false
  return (store) => {
    if (isChecked) return false
    isChecked = true
    check(store)
    return true
  }
}
