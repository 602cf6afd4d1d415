import { AsyncLocalStorage } from 'node:async_hooks'
import crypto from 'node:crypto'
import { createRequire, syncBuiltinESMExports } from 'node:module'

/** The request header that carries the ids which a reference server is to take for random ones. */
export const nextIdHeader = 'x-next-id'

const queue = new AsyncLocalStorage<string[]>()

/**
 * Runs a function in which the reference's random ids are the given ones, so that both sides hold
 * the same data. Ids that are counted stay what they are.
 */
export function withIds<T>(ids: readonly string[], run: () => T): T {
  return queue.run([...ids], run)
}

let isPatched = false

/** Puts the ids of {@link withIds} in the place of what both lines of json-server draw at random. */
export function patchIds(): void {
  if (isPatched) return
  isPatched = true
  const load = createRequire(createRequire(import.meta.url).resolve('json-server'))
  const module = load('nanoid') as { nanoid: (size?: number) => string }
  const { nanoid } = module
  module.nanoid = (size) => queue.getStore()?.shift() ?? nanoid(size)
  const { randomBytes } = crypto
  const patched = (size: number, ...rest: []): unknown => {
    const id = size === 8 || size === 2 ? queue.getStore()?.shift() : undefined
    return id === undefined ? randomBytes(size, ...rest) : { toString: () => id }
  }
  crypto.randomBytes = patched as typeof randomBytes
  syncBuiltinESMExports()
}
