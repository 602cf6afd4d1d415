import { MockError } from '../../errors/mock-error.ts'

/**
 * Copies an error about a query parameter under the name that the request uses, such as `sort` in the body of
 * QUERY for the parameter `_sort`.
 */
export function renameError(error: MockError, naming: (name: string) => string): MockError {
  const { message, errors = {} } = error
  return new MockError(message.replace(/(?<=^Failed to read ")[^"]+/, naming), {
    status: error.status,
    code: error.code,
    cause: error,
    errors: Object.fromEntries(Object.entries(errors).map(([name, why]) => [naming(name), why])),
  })
}
