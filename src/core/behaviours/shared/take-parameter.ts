import type { Exchange } from '../../http/contract/exchange.ts'
import { type Params, parseParams } from '../../url/params.ts'

/** Removes a parameter such as `access_token` from the query, where it would filter lists. */
export function takeParameter(exchange: Exchange, wanted: string): string | undefined {
  const found = exchange.params.find(([name]) => name === wanted)
  if (!found) return undefined
  const isOther = ([name]: Params[number]): boolean => name !== wanted
  exchange.params = exchange.params.filter(isOther)
  const parts = exchange.search.slice(1).split('&')
  exchange.search = `?${parts.filter((part) => parseParams(`?${part}`).every(isOther)).join('&')}`
  return found[1]
}
