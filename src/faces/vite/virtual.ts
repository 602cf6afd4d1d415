import type { Conflict, FixtureListener, FixtureSource } from '../../core/fixtures/fixtures.ts'
import type { RecordEdits } from '../../core/fixtures/record-edits.ts'
import type { Json, JsonRecord } from '../../core/json/json.ts'
import type { FeedChange, FeedStatus } from './feed.ts'

/** The virtual module, known to Vite alone, whose export is a source for `createMock`. */
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
  /** The JSON Schemas of files, such as `posts.schema.json`, by resource. */
  schemas: Record<string, Json>
  base: string
  /** The revision of the data; undefined if the data never changes. */
  revision: number | undefined
}

/** Generates a module that exports the data as the source `fixtures`, the `schemas` of files, and the `base`. */
export function toModule({ data, schemas, base, revision }: VirtualOptions): string {
  // JSON parses faster than a literal, in which a key `__proto__` would set the prototype.
  const parse = (value: unknown): string => `JSON.parse(${JSON.stringify(JSON.stringify(value))})`
  const json = parse(data)
  const source =
    revision === undefined
      ? `{ data: ${json}, subscribe: () => () => {} }`
      : `(${createHotSource.toString()})(${json}, ${revision}, import.meta.hot)`
  return `export const base = ${JSON.stringify(base)}
export const schemas = ${parse(schemas)}
export const fixtures = ${source}
`
}

/**
 * Creates the source of a page, which takes over the changes that the dev server sends. The virtual module
 * contains the text of this function, so that it must not use anything from outside.
 */
export function createHotSource(
  data: Record<string, unknown>,
  revision: number,
  hot: Hot | undefined,
): FixtureSource {
  const listeners = new Set<FixtureListener>()

  function closeOverlay(): void {
    if (typeof document === 'undefined') return
    for (const overlay of document.querySelectorAll('vite-error-overlay')) {
      const plugin = overlay.shadowRoot?.querySelector('.plugin')?.textContent
      if (plugin?.includes('fixtura')) overlay.remove()
    }
  }

  function warn(conflicts: readonly Conflict[]): void {
    for (const { collection, id } of conflicts) {
      const name = id === '' ? collection : `${collection}/${id}`
      console.warn(`${name}: the fixture replaced changes made by requests.`)
    }
  }

  hot?.on('fixtura:status', ({ isBroken }) => {
    if (!isBroken) closeOverlay()
  })
  hot?.on('fixtura:change', (change) => {
    if (change.revision <= revision) return
    revision = change.revision
    const changed: Record<string, unknown> = { ...change.changed }
    for (const name of change.removed) changed[name] = undefined
    for (const name of Object.keys(changed)) {
      if (changed[name] === undefined) delete data[name]
      else data[name] = changed[name]
    }
    for (const listener of listeners) listener(changed, warn)
  })
  const saving = new Map<string, (answer: SaveAnswer) => void>()
  hot?.on('fixtura:saved', (answer) => saving.get(answer.call)?.(answer))
  // A global, because the studio finds the mock of the page, but not the source of its fixtures.
  if (hot) {
    Object.assign(globalThis, {
      [Symbol.for('fixtura.save')]: async (name: string, edits: RecordEdits) =>
        new Promise<void>((resolve, reject) => {
          const call = `${name} ${Date.now()} ${Math.random()}`
          saving.set(call, ({ error }) => {
            saving.delete(call)
            if (error === undefined) resolve()
            else reject(new Error(error))
          })
          const list = Array.from(edits, ([id, record]) => ({ id, record }))
          hot.send('fixtura:save', { call, name, edits: list })
        }),
    })
  }
  // Requests the changes between the response with this module and the connection.
  hot?.send('fixtura:ready', { revision })

  return {
    data,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** The part of Vite's `import.meta.hot` through which a page receives changed fixtures. */
interface Hot {
  on(event: 'fixtura:change', callback: (change: FeedChange) => void): void
  on(event: 'fixtura:status', callback: (status: FeedStatus) => void): void
  on(event: 'fixtura:saved', callback: (answer: SaveAnswer) => void): void
  send(event: string, data: unknown): void
}

/** Edits of the records of a resource that a page asks the dev server to write into the fixture file. */
export interface SaveRequest {
  /** Identifies the request and its answer. */
  call: string
  name: string
  /** An edit without an id is of a singleton; an edit without a record removes the record. */
  edits: { id?: string | undefined; record?: JsonRecord | undefined }[]
}

/** The answer to a {@link SaveRequest}. */
export interface SaveAnswer {
  call: string
  /** Why the file was not written. */
  error?: string
}
