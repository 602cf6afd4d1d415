import type { MockRequest } from '../http/contract/messages.ts'
import { parseParams } from '../url/params.ts'

/** Returns the first value of a query parameter of a request to the control API. */
export function paramOf({ search }: MockRequest, wanted: string): string | undefined {
  return parseParams(search).find(([name]) => name === wanted)?.[1]
}
