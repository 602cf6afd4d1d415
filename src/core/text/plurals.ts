// English plurals, by which the collection `posts` is found for the key `postId`. This file replaces `inflection`
// because pages load it: it has 0.7 kB gzipped instead of 2.6 kB. `json-server-1` has to use `inflection`, which
// turns `cookies` into `cooky` and `caches` into `cach`.

/** English words with irregular plurals, by singular; a name can end with such a word, as `grandchildren` does. */
const irregular = Object.entries({
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
})

/** The end of a name, and its replacement. */
type Ending = readonly [end: RegExp, replacement: string]

/** Endings of singulars that have one plural, other than the singular with `s`. */
const regular: readonly Ending[] = [
  ...irregular.map(([one, many]): Ending => [new RegExp(`${one}$`), many]),
  [/(?<=[^aeiou])y$/, 'ies'],
  [/(?<=x|ch|sh|s)$/, 'es'],
]

const plurals: readonly Ending[] = [
  ...regular,
  [/fe?$/, 'ves'],
  [/(?<=fe?|o|x|z|ch|sh|(?<!i)s)$/, 'es'],
  [/(?<=x|z|ch|sh|(?<!i)s)$/, 'zes'],
  [/(?<=x|z|ch|sh|(?<!i)s)$/, 'ses'],
  [/is$/, 'es'],
  [/us$/, 'i'],
  [/[ei]x$/, 'ices'],
  [/on$/, 'a'],
]

/** Whether `plural` is a plural of `singular`, ignoring case: `posts` of `post`, `people` of `person`. */
export function isPluralOf(plural: string, singular: string): boolean {
  const many = plural.toLowerCase()
  const one = singular.toLowerCase()
  if (one === '') return false
  if (many === one || many === one + 's') return true
  return plurals.some(([end, ending]) => end.test(one) && many === one.replace(end, ending))
}

/** Returns the usual plural of a name: `categories` for `category`. */
export function pluralOf(singular: string): string {
  const found = regular.find(([end]) => end.test(singular))
  return found ? singular.replace(...found) : `${singular}s`
}

/** Endings of plurals with the endings of their singulars; the first match decides. */
const singulars: readonly Ending[] = [
  ...irregular.map(([one, many]): Ending => [new RegExp(`${many}$`), one]),
  [/(?<=ss|us|sis|news|series|species|analytics|canvas|lens|gas|alias|atlas)$/, ''],
  [/(?<=mov|cook|zomb|self|brown|calor|hood|smooth|rook|^[ltp])ies$/, 'ie'],
  [/(?<=[^aeiou])ies$/, 'y'],
  [/(?<=lea|loa|wol|cal|hal|shel|\bsel|\bel|thie|scar)ves$/, 'f'],
  [/(?<=kni|wi|\bli)ves$/, 'fe'],
  [/(?<=her|potat|tomat|ech|vet|mang|volcan)oes$/, 'o'],
  [/(?<=ind|vert|vort)ices$/, 'ex'],
  [/(?<=matr|append)ices$/, 'ix'],
  [/(?<=analy|cri|the|diagno|synop)ses$/, 'sis'],
  [/(?<=criteri|phenomen)a$/, 'on'],
  [/(?<=qui)zzes$/, 'z'],
  [/(?<=\bcac|nic)hes$/, 'he'],
  [/(?<=ss|[^aeiou]x|[ao]x|z|ch|sh|[^aou]us|ias|anvas|atlas|lens|\bgas)es$/, ''],
  [/s$/, ''],
]

/** Returns the singular of a name: `category` for `categories`; returns a name that is not a plural as is. */
export function singularOf(plural: string): string {
  const found = singulars.find(([end]) => end.test(plural))
  return found ? plural.replace(...found) : plural
}
