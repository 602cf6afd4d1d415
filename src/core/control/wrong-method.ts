import { MockError } from '../errors/mock-error.ts'
import { controlPath } from '../url/control-path.ts'

/**
 * Creates the error 405 for a method or path that an endpoint of the control API does not have; the message lists
 * the requests that the endpoint has. `problem` completes "Failed to …"; `keys` are methods with the segments after
 * `path`, such as `GET` and `DELETE :name`.
 */
export function wrongMethod(problem: string, path: string, keys: readonly string[]): MockError {
  const methods = keys.map((key) => key.split(' ', 1)[0] ?? '')
  // `DELETE :name` becomes `DELETE /__mock/rules/:name`.
  const known = keys.map((key) =>
    key.replaceAll(' ', '/').replace(/\/|$/, ` ${controlPath}/${path}$&`),
  )
  return new MockError(`Failed to ${problem}. Please use one of ${known.join(', ')}.`, {
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
    headers: [['Allow', [...new Set(methods)].join(', ')]],
  })
}
