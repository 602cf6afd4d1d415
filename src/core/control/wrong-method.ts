import { MockError } from '../errors/mock-error.ts'
import { controlPath } from '../url/control-path.ts'

/**
 * Creates the error for a method or path that a control lacks, which lists those that the control has. `problem`
 * completes the message "Failed to …"; `keys` are methods with the segments after `path`, such as `GET` and `DELETE :name`.
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
