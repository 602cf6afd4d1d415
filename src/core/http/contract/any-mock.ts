declare const brand: unique symbol

/**
 * Any mock, as `createMock` and `loadMock` return it. The property exists in types alone: it keeps other
 * objects out, and `internalsOf` gives faces the functions that users do not see.
 */
export interface AnyMock {
  readonly [brand]: 'mock'
}
