import { http, HttpResponse } from 'msw'
import type * as Msw from 'msw'
import type { HeaderList } from '../../core/http/messages.ts'

/**
 * Makes a response of one that sets cookies. MSW 2 reads all its lines as one cookie, and fails by one
 * that is not for the URL, as a `Secure` one is not for http, so that it is given each on its own.
 */
export async function toSettingResponse(
  body: BodyInit | null,
  init: { status: number; headers: HeaderList },
  url: string,
): Promise<Response> {
  // MSW 3 has none.
  const { handleRequest } = (await import('msw')) as Partial<typeof Msw>
  if (!handleRequest) return new HttpResponse(body, init)
  for (const line of init.headers) {
    if (line[0].toLowerCase() !== 'set-cookie') continue
    const set = http.all('*', () => new HttpResponse(null, { headers: [line] }))
    const kept = handleRequest(
      new Request(url),
      '',
      [set],
      { onUnhandledRequest: 'bypass' },
      silent,
    )
    // A browser passes over what it may not keep, too (RFC 6265 §5.3).
    await kept.catch(() => undefined)
  }
  // Not of MSW's class, whose cookies MSW would keep.
  return new Response(body, init)
}

const silent = { emit: () => false } as unknown as Parameters<typeof Msw.handleRequest>[4]
