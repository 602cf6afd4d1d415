declare const brand: unique symbol

/**
 * The type of every mock that `createMock` or `loadMock` returns, for the parameters of public functions such
 * as `serve(mock)`. The property exists in types alone, so that the compiler refuses other objects.
 * `internalsOf` returns the functions that users do not see.
 */
export interface AnyMock {
  readonly [brand]: 'mock'
}
