import * as msw from 'msw'
import { type HttpHandler, HttpResponse, http } from 'msw'
import type { HeaderList, MockRequest } from '../../core/http/contract/messages.ts'

/** Adds the cookies that MSW has read to a request without `Cookie`, as in a page; else corrects its separators. */
export function withCookies(
  request: MockRequest,
  cookies: Readonly<Record<string, string>>,
): MockRequest {
  const pairs = Object.entries(cookies)
  if (pairs.length === 0) return request
  const present = request.headers['cookie']
  const cookie =
    present === undefined
      ? pairs.map(([name, value]) => `${name}=${encode(value)}`).join('; ')
      : fixSeparators(present)
  return { ...request, headers: { ...request.headers, cookie } }
}

/** Separates cookies by semicolons (RFC 6265 §4.2.1): MSW 2 with happy-dom joins them by commas. */
function fixSeparators(header: string): string {
  return header.replace(/, (?=[^\s,;=]+=)/g, '; ')
}

/** Encodes the separators and percent signs of a value that MSW has decoded. */
function encode(value: string): string {
  return value.replace(/[%;,\s]/g, encodeURIComponent)
}

/**
 * Creates a response with cookies: a response for each line, because MSW 2 reads several lines as one cookie,
 * and throws for a cookie that the URL may not set.
 */
export async function toCookieResponse(
  body: BodyInit | null,
  init: { status: number; headers: HeaderList },
  url: string,
): Promise<Response> {
  const { handleRequest } = msw as object as Msw2
  if (!handleRequest) return new HttpResponse(body, init)
  for (const line of init.headers) {
    if (line[0].toLowerCase() !== 'set-cookie') continue
    const handler = http.all('*', () => new HttpResponse(null, { headers: [line] }))
    const stored = handleRequest(new Request(url), '', [handler], {}, { emit: () => false })
    // Browsers ignore cookies that they may not store, too (RFC 6265 §5.3).
    await stored.catch(() => undefined)
  }
  // A plain `Response`, because MSW would store the cookies of its own class again.
  return new Response(body, init)
}

/** The export of MSW 2 that MSW 3 lacks. */
interface Msw2 {
  handleRequest?(
    request: Request,
    id: string,
    handlers: HttpHandler[],
    options: object,
    emitter: { emit(): boolean },
  ): Promise<unknown>
}
