/**
 * A request of server-side code before the request is sent to the mock: a call of `fetch`, or the next request
 * after a redirect.
 */
export interface Hop {
  url: string
  /** The `Request` that supplies the members that `init` does not have. */
  request: Request | undefined
  init: RequestInit
}

/** Converts the arguments of `fetch` to a hop. */
export function toHop(input: string | URL | Request, init?: RequestInit): Hop {
  const url = isRequest(input) ? input.url : String(input)
  // A `Request` as options has its members on its prototype, where a spread does not find them.
  if (isRequest(init)) return { url, request: init, init: {} }
  return { url, request: isRequest(input) ? input : undefined, init: init ?? {} }
}

/** Returns how a request treats redirects; `follow` is the default of `fetch`. */
export function redirectModeOf({ request, init }: Hop): RequestRedirect {
  return init.redirect ?? request?.redirect ?? 'follow'
}

function isRequest(value: unknown): value is Request {
  return typeof value === 'object' && value !== null && 'url' in value && 'headers' in value
}
