import { MockError } from '../../errors/mock-error.ts'

/** Copies an error about a parameter with another name of the parameter. */
export function renameError(error: MockError, naming: (name: string) => string): MockError {
  const { message, errors = {} } = error
  return new MockError(message.replace(/(?<=^Failed to read ")[^"]+/, naming), {
    status: error.status,
    code: error.code,
    cause: error,
    errors: Object.fromEntries(Object.entries(errors).map(([name, why]) => [naming(name), why])),
  })
}
