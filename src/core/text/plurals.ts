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
