import { createHotSource } from './hot-source.ts'

/**
 * The name of the virtual module that a page imports to get the fixtures as a source for `createMock`. A
 * virtual module exists only inside Vite.
 */
export const virtualFixtures = 'virtual:fixtura'

/** The virtual module that only shows errors of the fixtures, for pages in `server` mode. */
export const virtualStatus = 'virtual:fixtura/status'

/** The resolved id of a virtual module; `\0` keeps other plugins from processing it. */
export function toResolved(id: string): string {
  return `\0${id}`
}

/** The content of a virtual module. */
export interface VirtualOptions {
  data: Record<string, unknown>
  base: string
  /** The revision of the data; undefined if the data never changes. */
  revision: number | undefined
}

/** Generates a module that exports the data as the source `fixtures`, and the `base`. */
export function toModule({ data, base, revision }: VirtualOptions): string {
  // JSON parses faster than a literal, in which a key `__proto__` would set the prototype.
  const json = `JSON.parse(${JSON.stringify(JSON.stringify(data))})`
  const source =
    revision === undefined
      ? `{ data: ${json}, subscribe: () => () => {} }`
      : `(${createHotSource.toString()})(${json}, ${revision}, import.meta.hot)`
  return `export const base = ${JSON.stringify(base)}\nexport const fixtures = ${source}\n`
}
