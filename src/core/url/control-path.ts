/**
 * The path below which a mock has the control API, by which the studio, tests and tools inspect and change a
 * running mock. The path prefix of the mock (option `base`) does not precede this path.
 */
export const controlPath = '/__mock'

/** The header of every response of the control API, by which a client recognizes a mock. */
export const controlHeader: readonly [name: string, value: string] = ['X-Mock', 'fixtura']
