/** The code of an error, such as `ENOENT` of a file system; empty where there is none. */
export function codeOf(error: unknown): string {
  return isObject(error) && 'code' in error ? String(error.code) : ''
}

/** What an error says, without its stack. */
export function toMessage(error: unknown): string {
  return isObject(error) && 'message' in error ? String(error.message) : String(error)
}

/** An error of Node's is none of the `Error` of a test that runs in a context of its own, as in Jest. */
function isObject(error: unknown): error is object {
  return typeof error === 'object' && error !== null
}
