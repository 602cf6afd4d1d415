/**
 * The path of the control API, which inspects and changes a running mock over HTTP. The option `base` does
 * not change this path.
 */
export const controlPath = '/__mock'

/** The header of every response of the control API, by which a client recognizes a mock. */
export const controlHeader: readonly [name: string, value: string] = ['X-Mock', 'fixtura']
