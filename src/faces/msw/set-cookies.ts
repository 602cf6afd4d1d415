import * as msw from 'msw'
import { http, type HttpHandler, HttpResponse } from 'msw'
import type { HeaderList } from '../../core/http/contract/messages.ts'

/**
 * Makes a response of one that sets cookies. MSW 2 reads all its lines as one cookie, and fails by one
 * that is not for the URL, as a `Secure` one is not for http, so that it is given each on its own.
 */
export async function toSettingResponse(
  body: BodyInit | null,
  init: { status: number; headers: HeaderList },
  url: string,
): Promise<Response> {
  const { handleRequest } = msw as object as Msw
  if (!handleRequest) return new HttpResponse(body, init)
  for (const line of init.headers) {
    if (line[0].toLowerCase() !== 'set-cookie') continue
    const set = http.all('*', () => new HttpResponse(null, { headers: [line] }))
    const kept = handleRequest(new Request(url), '', [set], {}, { emit: () => false })
    // A browser passes over what it may not keep, too (RFC 6265 §5.3).
    await kept.catch(() => undefined)
  }
  // Not of MSW's class, whose cookies MSW would keep.
  return new Response(body, init)
}

/** What is needed of MSW 2, and MSW 3 has none of. */
interface Msw {
  handleRequest?(
    request: Request,
    id: string,
    handlers: HttpHandler[],
    options: object,
    emitter: { emit(): boolean },
  ): Promise<unknown>
}
