import type { MockError } from '../../errors/mock-error.ts'
import { failure } from './failure.ts'

/** The refusals of Storage, by code. */
export const refusals = {
  BucketNotEmpty: [409, 'InvalidRequest', 'The bucket you tried to delete is not empty'],
  InvalidBucketName: [400, 'InvalidRequest', 'Bucket name invalid'],
  InvalidJWT: [400, 'InvalidJWT', 'The signature is invalid or has expired'],
  InvalidKey: [400, 'InvalidKey', 'The key has characters that no object can have'],
  KeyAlreadyExists: [409, 'Duplicate', 'The resource already exists'],
  NoSuchBucket: [404, 'Bucket not found', 'Bucket not found'],
  NoSuchKey: [404, 'not_found', 'Object not found'],
  RouteNotFound: [404, 'not_found', 'There is no such endpoint'],
} as const

/** Creates the error of Storage with a code. */
export function refuse(code: keyof typeof refusals): MockError {
  const [status, , message] = refusals[code]
  return failure(status, code, message)
}
