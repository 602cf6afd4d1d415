import type { MockRequest } from '../http/contract/messages.ts'
import { parseParams } from '../url/params.ts'

/** The first value of a parameter in the query. */
export function paramOf({ search }: MockRequest, wanted: string): string | undefined {
  return parseParams(search).find(([name]) => name === wanted)?.[1]
}
