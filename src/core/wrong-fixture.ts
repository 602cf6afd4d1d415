import { MockError } from './errors.ts'

/** The error for a fixture that cannot be loaded. */
export function wrongFixture(name: string, reason: string, cause?: unknown): MockError {
  return new MockError(`Failed to load "${name}": ${reason}.`, { code: 'FIXTURES_INVALID', cause })
}
