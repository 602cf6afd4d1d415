import type { Params } from '../../url/params.ts'
import type { Embed, Query } from '../../query/tree.ts'
import type { CollectionView, MemberRequest, Unused } from '../contract/dialect.ts'
import { wrongParameter } from '../shared/wrong-parameter.ts'
import { pathOf } from './condition.ts'
import { type GroupedParams, groupParams, listed } from './grouped-params.ts'
import { findUnknown, toUnused } from './unused.ts'

/**
 * Parses the query parameters of a request for a single record: the relations to embed (`_embed`, `_expand`), and
 * the fields to send (`_fields`). Other parameters have no effect.
 */
export function parseMember(params: Params, collection: CollectionView): MemberRequest {
  if (params.length === 0) return {}
  const values = groupParams(params)
  const presentation = parsePresentation(values, collection)
  const { embed, fields = [] } = presentation
  const unused = [
    ...unusedOf(values, memberParams),
    ...findUnknown('_fields', fields, collection, embed),
  ]
  return { ...presentation, ...toUnused(unused, memberParams) }
}

/** Parses the relations to embed and the fields to send, of a list or a single record. */
export function parsePresentation(
  values: GroupedParams,
  collection: CollectionView,
  naming: (name: string) => string = (name) => name,
): Pick<Query, 'embed' | 'fields'> {
  const embed: Embed[] = []
  for (const name of ['_embed', '_expand']) toEmbeds(listed(values, name), naming(name), embed)
  const fields = listed(values, '_fields')
  return {
    ...(embed.length > 0 && { embed }),
    ...(fields.length > 0 && { fields: fields.map((field) => pathOf(field, collection)) }),
  }
}

/** The parameters that `parseMember` reads. */
const memberParams = ['_embed', '_expand', '_fields']

/** Parses the collections whose child records are deleted with a record. */
export function parseDependents(params: Params): string[] {
  return listed(groupParams(params), '_dependent')
}

/** Finds the parameters without effect in a write, or in a GET of a document. */
export function unusedParams(params: Params, method: string): Unused {
  const known = method === 'DELETE' ? ['_dependent'] : []
  return toUnused(unusedOf(groupParams(params), known), known)
}

function unusedOf(values: GroupedParams, known: readonly string[]): (readonly [string])[] {
  return [...values.keys()].filter((name) => !known.includes(name)).map((name) => [name])
}

/** Merges names such as `comments.author` and `comments.likes` into a tree of relations. */
export function toEmbeds(
  names: readonly string[],
  parameter: string,
  embeds: Embed[] = [],
): Embed[] {
  for (const name of names) {
    let level = embeds
    const steps = name.split('.')
    if (steps.length > 8) throw wrongParameter(parameter, 'is nested deeper than 8 relations')
    for (const step of steps) {
      let next = level.find((embed) => embed.name === step)
      if (!next) level.push((next = { name: step, parameter, embed: [] }))
      level = next.embed
    }
  }
  return embeds
}
