/** Plurals that no ending gives away. */
const irregular: Record<string, string> = {
  child: 'children',
  datum: 'data',
  foot: 'feet',
  goose: 'geese',
  man: 'men',
  medium: 'media',
  mouse: 'mice',
  person: 'people',
  tooth: 'teeth',
  woman: 'women',
}

/** Endings and what may stand in their place in the plural; the first that fits decides. */
const endings: [end: RegExp, plurals: string[]][] = [
  [/[^aeiou]y$/, ['ies']],
  [/(?:f|fe)$/, ['ves', 's', 'es']],
  [/(?:is)$/, ['es']],
  [/(?:us)$/, ['i', 'es']],
  [/(?:ex|ix)$/, ['ices', 'es']],
  [/(?:s|x|z|ch|sh)$/, ['es', 'zes', 'ses']],
  [/o$/, ['es', 's']],
  [/on$/, ['a', 's']],
]
const stem: Record<string, number> = { ies: 1, ves: 1, i: 2, ices: 2, a: 2 }

/** Whether `plural` names many of what `singular` names: `posts` and `post`, `people` and `person`. */
export function isPluralOf(plural: string, singular: string): boolean {
  const many = plural.toLowerCase()
  const one = singular.toLowerCase()
  if (one === '') return false
  if (many === one || many === one + 's') return true
  for (const [single, plural] of Object.entries(irregular)) {
    if (one.endsWith(single) && many === one.slice(0, -single.length) + plural) return true
  }
  return endings.some(
    ([end, plurals]) => end.test(one) && plurals.some((ending) => many === pluralWith(one, ending)),
  )
}

function pluralWith(one: string, ending: string): string {
  if (one.endsWith('is')) return one.slice(0, -2) + ending
  if (one.endsWith('fe') && ending === 'ves') return one.slice(0, -2) + ending
  return one.slice(0, one.length - (stem[ending] ?? 0)) + ending
}

/** The name of one of many: `category` of `categories`; as it is where it is no plural. */
export function singularOf(plural: string): string {
  const given = Object.entries(irregular).find(([, many]) => plural.endsWith(many))
  if (given) return plural.slice(0, -given[1].length) + given[0]
  if (/[^aeiou]ies$/.test(plural)) return `${plural.slice(0, -3)}y`
  return plural.replace(/(?<=ss|x|z|ch|sh|[^aou]us)es$|(?<!s)s$/, '')
}

/** What a key names when it looks like a foreign key: `post` for `postId` and `post_id`, else undefined. */
export function keyStem(key: string): string | undefined {
  const match = /^(.+?)(?:_ids?|Ids?|IDs?)$/.exec(key)
  return match?.[1]
}

/** Whether a key holds a list of foreign keys: `tagIds`, `tag_ids`. */
export function isKeyList(key: string): boolean {
  return /(?:_ids|Ids|IDs)$/.test(key)
}

/** The collection that a foreign key is named after: one in the folder of `child` before any other. */
export function parentNamed(
  key: string,
  child: string,
  names: readonly string[],
): string | undefined {
  const stem = keyStem(key)
  if (stem === undefined) return undefined
  const named = (fits: typeof isPluralOf): string[] =>
    names.filter((name) => fits(baseName(name), stem))
  const exact = named(isPluralOf)
  // `orderItemId` and `order_item_id` also name one of `order-items`.
  const fits =
    exact.length > 0 ? exact : named((many, one) => isPluralOf(joined(many), joined(one)))
  return fits.find((name) => folderOf(name) === folderOf(child)) ?? fits[0]
}

/** The name of a collection without its folder: `posts` of `v1/posts`. */
export function baseName(collection: string): string {
  return collection.slice(collection.lastIndexOf('/') + 1)
}

/** The folder of a collection, with the slash behind it: `v1/` of `v1/posts`; empty where it has none. */
export function folderOf(collection: string): string {
  return collection.slice(0, collection.lastIndexOf('/') + 1)
}

/** A name without what stands between its words. */
function joined(name: string): string {
  return name.replace(/[-_ ]/g, '')
}
