import { isPluralOf } from './plurals.ts'

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
