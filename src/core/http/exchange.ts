import type { Dialect, RenderContext } from '../dialects/dialect.ts'
import type { Params } from '../params.ts'
import type { Links } from '../store/links.ts'
import type { Store } from '../store/store.ts'
import type { BodyLimits } from './body.ts'
import type { MockRequest } from './messages.ts'
import type { Target } from './target.ts'

/** What stays the same from request to request. */
export interface Service {
  base: string
  dialect: Dialect
  store: Store
  links: Links
  limits: BodyLimits
  /** Whether an unknown parameter is an error instead of a note. */
  strict: boolean
  readOnly: boolean
  /** The `Cache-Control` of a resource. */
  cacheControl(resource: string): string
}

/** One request on its way through the pipeline. */
export interface Exchange extends RenderContext {
  request: MockRequest
  params: Params
  /** What the path stands for, once it has been looked up. */
  target?: Target
  service: Service
  /** Why the answer is what it is, for the log. */
  reasons: string[]
}

/** An exchange whose path has been found to stand for something. */
export type Routed<T extends Target = Target> = Exchange & { target: T }
