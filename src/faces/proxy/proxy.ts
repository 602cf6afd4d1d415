import type { Behaviour } from '../../core/http/contract/behaviour.ts'
import { createProxy } from '../../core/behaviours/proxy/proxy.ts'
import type { ProxyOptions } from '../../core/behaviours/proxy/options.ts'
import { forward } from './forward.ts'

/**
 * Passes requests on to a real server: those whose path names no fixture, or with `when: 'always'` all that
 * `only` lists. Bodies and event streams pass through; a server that is down or slow is a 502 or 504. Comes
 * last in `use`, as later behaviours do not see the requests.
 * @throws MockError when an option is wrong
 * @example proxy({ to: 'https://api.example.com', only: ['/reports/*'] })
 */
export function proxy(options: ProxyOptions): Behaviour {
  return createProxy(options, { forward })
}
