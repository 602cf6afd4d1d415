import { isPluralOf, singularOf } from './plurals.ts'

/**
 * Returns the name in front of the suffix of a foreign key: `post` for `postId`, `post_id` and `postIds`;
 * undefined for a key without a suffix. A given suffix (option `foreignKeySuffix`) replaces `Id`, `ID` and
 * `_id`; with an empty one, the keys `author` and `tags` are foreign keys too.
 */
export function keyStem(key: string, suffix?: string): string | undefined {
  const usual = /^(.+?)(?:_ids?|Ids?|IDs?)$/.exec(key)?.[1]
  if (suffix === undefined) return usual
  if (suffix === '') return usual ?? singularOf(key)
  const end = [suffix, `${suffix}s`].find((one) => key.endsWith(one) && key !== one)
  return end && key.slice(0, -end.length)
}

/** Whether a key is named like a list of foreign keys: `tagIds`, `tag_ids`. */
export function isKeyList(key: string, suffix?: string): boolean {
  if (suffix) return key.endsWith(`${suffix}s`)
  return /(?:_ids|Ids|IDs)$/.test(key) || (suffix === '' && singularOf(key) !== key)
}

/** The collections that a foreign key is named after, by the stem of the key, for each list of names. */
const parentsByStem = new WeakMap<readonly string[], Map<string, string[]>>()

/**
 * Finds the collection that a foreign key of the collection `child` is named after; a collection in the same
 * folder wins. The list of names must not change, because the collections of each stem are cached.
 */
export function parentNamed(
  key: string,
  child: string,
  names: readonly string[],
  suffix?: string,
): string | undefined {
  const stem = keyStem(key, suffix)
  if (stem === undefined) return undefined
  const byStem = parentsByStem.get(names) ?? new Map<string, string[]>()
  parentsByStem.set(names, byStem)
  let candidates = byStem.get(stem)
  if (!candidates) {
    candidates = names.filter((name) => isPluralOf(baseName(name), stem))
    // `orderItemId` and `order_item_id` also reference `order-items`.
    const isSimilar = (name: string): boolean =>
      isPluralOf(withoutSeparators(baseName(name)), withoutSeparators(stem))
    if (!candidates[0]) candidates = names.filter(isSimilar)
    byStem.set(stem, candidates)
  }
  return candidates.find((name) => folderOf(name) === folderOf(child)) ?? candidates[0]
}

/** Returns the name of a collection without its folder: `posts` for `v1/posts`. */
export function baseName(collection: string): string {
  return collection.slice(collection.lastIndexOf('/') + 1)
}

/** Returns the folder of a path with a trailing slash: `v1/` for `v1/posts`; empty without a folder. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

/** Removes the hyphens, underscores and spaces between the words of a name. */
function withoutSeparators(name: string): string {
  return name.replace(/[-_ ]/g, '')
}
