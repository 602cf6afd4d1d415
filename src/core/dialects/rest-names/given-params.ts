import type { Params } from '../../url/params.ts'
import { type ParameterName, parameterNames } from './options.ts'
import type { PatternMatch } from './pattern.ts'
import type { Settings } from './settings.ts'

/**
 * Maps each query parameter of a request to its name in `rest`, because options can give parameters other names:
 * with `{ page: 'page[number]' }`, `page[number]=2` is `page`.
 */
export function toGiven(params: Params, { parameters }: Pick<Settings, 'parameters'>): GivenParams {
  const own = Object.fromEntries(
    parameterNames.map((name): [ParameterName, Given[]] => [name, []]),
  ) as Record<ParameterName, Given[]>
  const others = params.filter(([name, value]) => {
    const found = parameterNames.flatMap((parameter) => {
      for (const { match } of parameters[parameter]) {
        const matched = match(name, value) ?? match(withoutIndex(name), value)
        if (matched) return { parameter, matched }
      }
      return []
    })[0]
    if (found) own[found.parameter].push({ name, match: found.matched })
    return !found
  })
  return { own, others }
}

/** The query parameters of a request, by their names in `rest`; `others` may be filters. */
export interface GivenParams {
  own: Readonly<Record<ParameterName, readonly Given[]>>
  others: Params
}

/** A query parameter of a request: its name as it was sent, and its parts. */
interface Given {
  name: string
  match: PatternMatch
}

/** Removes the index of a list from the name of a parameter: `filter` for `filter[0]` and `filter[]`. */
export function withoutIndex(name: string): string {
  return name.replace(/\[\d*\]$/, '')
}

/** Returns the last value of a parameter. */
export function lastOf({ own }: GivenParams, parameter: ParameterName): string | undefined {
  return own[parameter].at(-1)?.match['value']
}

/** Returns the name that a request uses for a parameter, otherwise the first name that it could use. */
export function wireName(
  { own }: GivenParams,
  parameter: ParameterName,
  settings: Settings,
): string {
  return (
    own[parameter][0]?.name ??
    settings.parameters[parameter][0]?.text.replaceAll('$$', '$') ??
    parameter
  )
}

/** Returns the name of a parameter in `rest`, such as `_page`. */
export function restName(parameter: ParameterName): string {
  return parameter === 'q' ? parameter : `_${parameter}`
}
