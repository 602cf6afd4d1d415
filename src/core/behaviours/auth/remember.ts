/**
 * Adds a token, cookie or login session to the map in which `auth` remembers them. All entries of a map live
 * equally long, so that the oldest expires first. Removes the expired entries, and the oldest above
 * {@link maxLogins}. `due` and `now` are in milliseconds since 1970.
 */
export function remember<Entry extends { due: number }>(
  entries: Map<string, Entry>,
  key: string,
  entry: Entry,
  now: number,
): void {
  entries.delete(key)
  for (const [oldest, { due }] of entries) {
    if (due > now && entries.size < maxLogins) break
    entries.delete(oldest)
  }
  entries.set(key, entry)
}

/**
 * The most tokens, cookies or login sessions of one kind that a mock remembers; a further one replaces the
 * oldest.
 */
export const maxLogins = 10_000
