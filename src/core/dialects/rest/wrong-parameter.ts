import { MockError } from '../../errors.ts'

/** What answers a parameter that cannot be (400): *Failed to read "name": it reason.* */
export function wrongParameter(name: string, reason: string): MockError {
  return new MockError(`Failed to read "${name}": it ${reason}.`, {
    status: 400,
    code: 'QUERY_INVALID',
    errors: { [name]: [reason] },
  })
}
