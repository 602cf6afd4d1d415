/**
 * Compiles a path pattern of the behaviour `rewrite`, such as `/blog/:id/show`, `/api/*` or
 * `/posts/:id(\\d+)?`, to the regular expression that path-to-regexp 1 creates, because Express 4 and the
 * `routes.json` of json-server use that package: a trailing slash is optional, and case does not matter.
 * @throws SyntaxError for an invalid expression in parentheses
 */
export function compileExpressPattern(pattern: string): ExpressPattern {
  const groups = new Map<string, number>()
  let source = ''
  // The text since the last parameter.
  let literal = ''
  let end = 0
  let unnamed = 0
  let count = 0
  let openCount = 0
  for (const match of pattern.matchAll(parts)) {
    const [all, escaped, prefix, name, constraint, group, modifier = '', star] = match
    literal += pattern.slice(end, match.index)
    end = match.index + all.length
    if (escaped !== undefined) {
      literal += escaped
      continue
    }
    const custom = constraint ?? group
    const value = custom
      ? custom.replace(/[=!:$/()]/g, '\\$&')
      : star
        ? '.*'
        : segmentAfter(prefix ?? literal, prefix)
    const next = pattern[end]
    const isPartial = prefix !== undefined && next !== undefined && next !== prefix
    source += escape(literal) + toGroup(value, escape(prefix ?? ''), modifier, isPartial)
    groups.set(name ?? String(unnamed++), ++count)
    const isOpen = custom ? /\.[*+]/.test(custom) : (prefix ?? literal) === ''
    if (isOpen || star || modifier === '+' || modifier === '*') openCount++
    literal = ''
  }
  source += escape(literal + pattern.slice(end))
  const withoutSlash = source.replace(/\\\/$/, '')
  return { expression: new RegExp(`^${withoutSlash}(?:\\/(?=$))?$`, 'i'), groups, openCount }
}

/** A compiled pattern: an expression that matches a path with its query, and the group of each parameter. */
export interface ExpressPattern {
  expression: RegExp
  /** The index of the group by the name of the parameter; unnamed parameters are numbered from 0. */
  groups: ReadonlyMap<string, number>
  /**
   * The number of parameters whose end only the rest of the pattern decides, such as `*`. The time of a
   * match can grow with the length of the text to the power of this number.
   */
  openCount: number
}

/**
 * The targets of the behaviour `rewrite` by pattern, like the `routes.json` of json-server:
 * `{ '/blog/:id/show': '/posts/:id' }`, for some methods: `{ 'GET /feed': '/posts?_sort=-id' }`.
 */
export type RewriteRules = Readonly<Record<string, string>>

/**
 * Matches an escaped character, or a parameter with an optional `/` or `.` in front of it: `:name`,
 * `:name(\\d+)`, `(\\d+)`, each with an optional modifier `?`, `+` or `*`; or a `*`, which matches anything.
 */
const parts =
  /\\(.)|([/.])?(?:(?::(\w+)(?:\(((?:\\.|[^\\()])+)\))?|\(((?:\\.|[^\\()])+)\))([+*?])?|(\*))/g

/** Returns the expression of a parameter that has none in parentheses: any characters up to the next delimiter. */
function segmentAfter(before: string, delimiter: string = '/'): string {
  const any = `[^${escape(delimiter)}]`
  if (before === '' || before.includes(delimiter)) return `${any}+?`
  // The text in front of the parameter does not occur again in its value, so that matching is linear.
  const text = escape(before)
  return `${text}|(?:(?!${text})${any})+?`
}

/** Returns the group of a parameter, with its modifier: `?` is optional, `+` repeats, `*` is both. */
function toGroup(value: string, prefix: string, modifier: string, isPartial: boolean): string {
  const single = `(?:${value})`
  const isRepeated = modifier === '+' || modifier === '*'
  const whole = isRepeated ? `${single}(?:${prefix}${single})*` : single
  if (modifier !== '?' && modifier !== '*') return `${prefix}(${whole})`
  return isPartial ? `${prefix}(${whole})?` : `(?:${prefix}(${whole}))?`
}

function escape(text: string): string {
  return text.replace(/[.+*?=^!:${}()[\]|/\\]/g, '\\$&')
}
