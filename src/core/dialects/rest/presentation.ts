import { isRecord, type Json } from '../../json/json.ts'
import type { Path } from '../../json/path.ts'
import type { Embed, Query } from '../../query/tree.ts'
import type { CollectionView, SplitParams } from '../contract/dialect.ts'
import { wrongParameter } from '../shared/wrong-parameter.ts'
import { splitBrackets } from './brackets.ts'
import { type Spelling, splitText } from './spelling.ts'

/** Parses the parameters that select fields and related records. @throws MockError 400 for a too deep relation */
export function parsePresentation(
  { known }: SplitParams,
  collection: CollectionView,
  spelling: Spelling,
): Pick<Query, 'embed' | 'fields'> {
  const { parameters, toPath, embedIn } = spelling
  const [embedName, fieldsName] = [parameters.embed, parameters.fields].map(
    ([one]) => one?.name ?? '',
  )
  const root = createLevel('')

  /** Adds relations: by names, or as an object of names with the parameters of the related records. */
  function addRelations(level: Level, seen: CollectionView | undefined, tree: Json): void {
    if (!isRecord(tree)) {
      for (const name of namesIn(tree)) addRelation(level, seen, name.split('.'))
      return
    }
    for (const [name, inner] of Object.entries(tree)) {
      if (inner === 'false') continue
      const below = addRelation(level, seen, [name])
      if (!isRecord(inner)) continue
      const related = seen?.related?.(name)
      addRelations(below, related, inner[embedName ?? ''] ?? '')
      const fields = namesIn(inner[fieldsName ?? ''] ?? '')
      for (const field of fields) addField(below, related, field.split('.'))
    }
  }

  const { plain, tree } = splitBrackets(known['embed'] ?? [])
  root.parameter = known['embed']?.[0]?.name ?? ''
  for (const { name, parts } of plain) {
    root.parameter = name
    addRelations(root, collection, parts['relation'] ?? parts['value'] ?? '')
  }
  if (tree) addRelations(root, collection, tree)
  for (const { name, parts } of known['fields'] ?? []) {
    root.parameter = name
    const texts = namesIn(parts['value'] ?? '')
    for (const [level, seen] of levelsOf(root, collection, parts['resource'])) {
      for (const text of texts) addField(level, seen, toPath(text, seen))
    }
  }
  const embed = toEmbedTree(root, embedIn)
  const fields = fieldsOf(root, collection, spelling)
  return { ...(embed.length > 0 && { embed }), ...(fields.length > 0 && { fields }) }
}

/** Merges names such as `comments.author` and `comments.likes` into a tree of relations. */
export function toEmbeds(names: readonly string[], parameter: string): Embed[] {
  const root = createLevel(parameter)
  for (const name of names) addRelation(root, undefined, name.split('.'))
  return toEmbedTree(root)
}

/** Returns the relations that the paths of filters and sort orders lead through. */
export function toJoins(paths: readonly Path[], collection: CollectionView): Embed[] {
  const relationsOn = ([first = '', ...others]: Path, seen: CollectionView): string[] => {
    const related = others.length > 0 ? seen.related?.(first) : undefined
    return related ? [first, ...relationsOn(others, related)] : []
  }
  const names = paths.map((path) => relationsOn(path, collection).join('.'))
  return toEmbeds(
    names.filter((name) => name !== ''),
    'filter',
  )
}

/** Returns the names in a comma-separated text, or in a list of such texts. */
function namesIn(value: Json): string[] {
  const texts = [value].flat().filter((one) => typeof one === 'string')
  return texts.flatMap(splitText).filter((name) => name !== '')
}

/** The fields of the records of a collection that a request selects, and their related records by relation. */
interface Level {
  embed: Map<string, Level>
  fields: Path[]
  /** Whether the request names fields, its own or those of related records; otherwise it gets all. */
  isPicked?: boolean
  /** The parameter that names the relation. */
  parameter: string
}

function createLevel(parameter: string): Level {
  return { embed: new Map(), fields: [], parameter }
}

/** Adds the relations of a path, in which `*` is every relation; returns the level of the last. */
function addRelation(
  level: Level,
  seen: CollectionView | undefined,
  [name = '', ...others]: Path,
): Level {
  const all = name === '*' ? seen?.relations?.() : undefined
  let last = level
  for (const one of all ?? [name]) {
    last = level.embed.get(one) ?? createLevel(level.parameter)
    level.embed.set(one, last)
    if (others.length > 0) last = addRelation(last, seen?.related?.(one), others)
  }
  return last
}

/** Returns the levels whose records are of a resource; the root for none. */
function levelsOf(
  level: Level,
  seen: CollectionView,
  resource: string | undefined,
): [Level, CollectionView][] {
  const { name } = seen
  const isOwn = resource === undefined || name.slice(name.lastIndexOf('/') + 1) === resource
  const below = Array.from(level.embed).flatMap(([relation, inner]) => {
    const related = seen.related?.(relation)
    return related && resource !== undefined ? levelsOf(inner, related, resource) : []
  })
  return isOwn ? [[level, seen], ...below] : below
}

/** Adds a field, which can be one of a related record; `*` is every field and, before others, every relation. */
function addField(level: Level, seen: CollectionView | undefined, path: Path): void {
  const [name = '', ...others] = path
  level.isPicked = true
  const names = seen?.relations?.() ?? []
  if (name === '*' && seen?.related) {
    for (const key of seen.keys()) level.fields.push([key])
    for (const one of others.length > 0 ? names : []) addField(level, seen, [one, ...others])
    return
  }
  const related = others.length > 0 ? seen?.related?.(name) : undefined
  if (related) addField(addRelation(level, seen, [name]), related, others)
  else level.fields.push(path)
}

function toEmbedTree({ embed }: Level, holder?: string, depth = 1): Embed[] {
  return Array.from(embed, ([name, inner]): Embed => {
    if (depth > 8) throw wrongParameter(inner.parameter, 'is nested deeper than 8 relations')
    const { parameter } = inner
    return { name, parameter, embed: toEmbedTree(inner, holder, depth + 1), in: holder }
  })
}

/** Returns the paths of the selected fields; none if the request selects whole records. */
function fieldsOf(
  { embed, fields, isPicked = false }: Level,
  seen: CollectionView | undefined,
  spelling: Pick<Spelling, 'idKeys' | 'embedIn'>,
): Path[] {
  const below = Array.from(embed, ([name, inner]): [string, Path[]] => [
    name,
    fieldsOf(inner, seen?.related?.(name), spelling),
  ])
  if (!isPicked && below.every(([, inner]) => inner.length === 0)) return []
  if (!seen?.related || spelling.embedIn !== undefined) return fields
  const all = isPicked ? fields : Array.from(seen.keys(), (key) => [key])
  const own = all.filter(([name = '', inner]) => inner !== undefined || !embed.has(name))
  const related = below.flatMap(([name, inner]): Path[] =>
    inner.length > 0 ? inner.map((path) => [name, ...path]) : [[name]],
  )
  const { idKeys = [] } = spelling
  const ids = idKeys.length > 0 ? [seen.idField, ...idKeys].map((key) => [key]) : []
  return [...ids, ...own, ...related]
}
