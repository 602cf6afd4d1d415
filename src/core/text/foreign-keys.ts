import { isPluralOf } from './plurals.ts'

/**
 * Returns the name in front of the suffix `Id` of a foreign key: `post` for `postId`, `post_id` and
 * `postIds`; undefined for a key without this suffix.
 */
export function keyStem(key: string): string | undefined {
  const match = /^(.+?)(?:_ids?|Ids?|IDs?)$/.exec(key)
  return match?.[1]
}

/** Whether a key is named like a list of foreign keys: `tagIds`, `tag_ids`. */
export function isKeyList(key: string): boolean {
  return /(?:_ids|Ids|IDs)$/.test(key)
}

/** The collection that a foreign key of `child` is named after; a collection in the same folder wins. */
export function parentNamed(
  key: string,
  child: string,
  names: readonly string[],
): string | undefined {
  const stem = keyStem(key)
  if (stem === undefined) return undefined
  const exact = names.filter((name) => isPluralOf(baseName(name), stem))
  // `orderItemId` and `order_item_id` also reference `order-items`.
  const isSimilar = (name: string): boolean =>
    isPluralOf(withoutSeparators(baseName(name)), withoutSeparators(stem))
  const candidates = exact.length > 0 ? exact : names.filter(isSimilar)
  return candidates.find((name) => folderOf(name) === folderOf(child)) ?? candidates[0]
}

/** The name of a collection without its folder: `posts` for `v1/posts`. */
export function baseName(collection: string): string {
  return collection.slice(collection.lastIndexOf('/') + 1)
}

/** The folder of a collection with a trailing slash: `v1/` for `v1/posts`; empty without a folder. */
export function folderOf(collection: string): string {
  return collection.slice(0, collection.lastIndexOf('/') + 1)
}

/** A name without the hyphens, underscores and spaces between its words. */
function withoutSeparators(name: string): string {
  return name.replace(/[-_ ]/g, '')
}
