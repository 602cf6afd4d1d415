/** Marks every mock; a registered symbol, as a process can have two copies of this module. */
export const brand: unique symbol = Symbol.for('fixtura')

/** The type of every mock, for the parameters of public functions; `internalsOf` has what users do not see. */
export interface AnyMock {
  readonly [brand]: 'mock'
}
