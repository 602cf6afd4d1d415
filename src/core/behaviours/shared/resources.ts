import { type Check, checkOptions, wrong } from '../../errors/check.ts'
import { nearest, suggest } from '../../errors/nearest.ts'
import { splitPattern } from '../../url/pattern.ts'
import type { MockContext } from '../../http/contract/behaviour.ts'

/**
 * Checks behaviour options that are keyed by resource name, as in `fields({ posts: … })`. Option names and
 * types are checked at once; the returned function checks that a mock has the resources. In a fork, the
 * returned function checks nothing and returns false.
 * @throws MockError that suggests the nearest name
 */
export function checkByResource(
  behaviour: string,
  options: Readonly<Record<string, unknown>>,
  checks?: Readonly<Record<string, Check>>,
): (world: MockContext) => boolean {
  const subject = `the options of "${behaviour}"`
  checkOptions(subject, options)
  for (const [name, own] of Object.entries(options)) {
    if (checks) checkOptions(`${subject} for "${name}"`, own, checks)
  }
  return checkNames(behaviour, Object.keys(options))
}

/** Creates a check of resource names; skipped in a fork. Returns whether the check has run. */
export function checkNames(
  behaviour: string,
  names: readonly string[],
): (world: MockContext) => boolean {
  return unlessForked(({ store: { resources } }) => {
    for (const name of names) {
      if (resources.has(name)) continue
      const advice = suggest(name, [...resources.keys()])
      throw wrong(`the options of "${behaviour}"`, `there is no resource "${name}". ${advice}`)
    }
  })
}

/** Checks patterns for misspelt names, except in a fork; unknown names may be routes or resources of later files. */
export function checkPatterns(
  behaviour: string,
  patterns: readonly string[],
): (world: MockContext) => boolean {
  return unlessForked(({ resources }) => {
    const known = resources.names()
    for (const text of patterns) {
      const [, path] = splitPattern(text)
      const [name = ''] = path.split(/\/?[:*]/, 1)
      if (name === '' || name.startsWith('/')) continue
      const exists = known.some(
        (resource) =>
          `${resource}/`.startsWith(`${name}/`) || `${name}/`.startsWith(`${resource}/`),
      )
      const suggestion = exists ? undefined : nearest(name, known)
      if (suggestion === undefined) continue
      throw wrong(
        `the options of "${behaviour}"`,
        `"${text}" names no resource. Did you mean "${suggestion}"? Please write "/${name}" for a path.`,
      )
    }
  })
}

/** Skips a check in a fork, which may lack a resource that an edit has removed. */
function unlessForked(
  check: (service: MockContext['service']) => void,
): (world: MockContext) => boolean {
  return ({ origin, service }) => {
    if (origin) return false
    check(service)
    return true
  }
}
