import { connect } from './connect.ts'

/** The module that holds the fixtures. */
export const virtualFixtures = 'virtual:fixtura'

/** The module that only tells whether the fixtures are sound, for pages that ask a server for them. */
export const virtualStatus = 'virtual:fixtura/status'

/** The id of a virtual module once it is found: one that no other plugin takes for a file. */
export function toResolved(id: string): string {
  return `\0${id}`
}

/** What a virtual module is made of. */
export interface VirtualOptions {
  data: Record<string, unknown>
  base: string
  /** Which state of the data it is; undefined where it never changes. */
  revision: number | undefined
}

/** The text of a module that exports a source of the data, `fixtures`, and the `base`. */
export function toModule({ data, base, revision }: VirtualOptions): string {
  // A literal would be slower to read, and its `__proto__` would be no key.
  const json = `JSON.parse(${JSON.stringify(JSON.stringify(data))})`
  const source =
    revision === undefined
      ? `{ data: ${json}, subscribe: () => () => {} }`
      : `(${connect.toString()})(${json}, ${revision}, import.meta.hot)`
  return `export const base = ${JSON.stringify(base)}\nexport const fixtures = ${source}\n`
}
