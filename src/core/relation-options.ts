/** A key that leads to another collection. */
interface RelationOption {
  /** The collection. */
  to: string
  /** What an embedded record is called. */
  as?: string
  /** Whether the records go when the one that they name is deleted. */
  dependent?: boolean
}

/** Relations that no key's name gives away, by collection and key: `{ comments: { writer: 'users' } }`. */
export type RelationOptions = Record<string, Record<string, string | RelationOption>>

/** What is said of a key, of which most is only where it leads to. */
export function toRelation(option: string | RelationOption): RelationOption {
  return typeof option === 'string' ? { to: option } : option
}
