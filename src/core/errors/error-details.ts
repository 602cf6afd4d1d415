/** Returns the `code` of a thrown value as a string, such as `ENOENT` of an error of Node.js; empty without a code. */
export function codeOf(error: unknown): string {
  return isObject(error) && 'code' in error ? String(error.code) : ''
}

/** Returns the message of a thrown value, without the stack. */
export function toMessage(error: unknown): string {
  return isObject(error) && 'message' in error ? String(error.message) : String(error)
}

/** `instanceof Error` fails for errors of another realm, as in Jest, whose tests run in a `vm` context. */
function isObject(error: unknown): error is object {
  return typeof error === 'object' && error !== null
}
