/** What a key stands for: the collection that it leads to, or that with more about the relation. */
type RelationOption = string | { to: string; as?: string; dependent?: boolean }

/** Relations that no key's name gives away, by collection and key: `{ comments: { writer: 'users' } }`. */
export type RelationOptions = Record<string, Record<string, RelationOption>>

/** The collection that a key is said to lead to. */
export function parentOf(option: RelationOption): string {
  return typeof option === 'string' ? option : option.to
}
