/** Marks every mock; a registered symbol, as a process can have two copies of this module. */
export const brand: unique symbol = Symbol.for('fixtura')

/**
 * The type of every mock that `createMock` or `loadMock` returns, for the parameters of public functions such
 * as `serve(mock)`. `internalsOf` returns the functions that users do not see.
 */
export interface AnyMock {
  readonly [brand]: 'mock'
}
