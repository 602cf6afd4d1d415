import { mediaType, readJson } from '../../core/http/resource/body.ts'
import { invalidBody } from '../../core/http/resource/body-error.ts'
import type { Limits } from '../../core/http/contract/limits.ts'
import type {
  FormField,
  HeaderList,
  MockRequest,
  MockResponse,
} from '../../core/http/contract/messages.ts'

/**
 * Converts a `MockRequest`, with its body, to the `Request` that a function in `routes` gets.
 * @throws MockError 413 when the body has more bytes than `limit`
 */
export async function toRequest(request: MockRequest, limit: number): Promise<Request> {
  const { method, path, search, origin } = request
  const url = `${URL.canParse(origin) ? origin : 'http://localhost'}${path}${search}`
  const headers = toHeaders(request)
  if (method === 'GET' || method === 'HEAD') return new Request(url, { method, headers })
  const isForm = mediaType(request) === 'multipart/form-data'
  // `FormData` gets a new boundary.
  if (isForm) headers.delete('content-type')
  const body = isForm ? toFormData(await request.form(limit)) : await readWhole(request, limit)
  return new Request(url, { method, headers, ...(body && { body }) })
}

/** Reads the body: as bytes if the face can give bytes, otherwise as text; undefined for an empty body. */
async function readWhole(
  { text, bytes }: MockRequest,
  limit: number,
): Promise<string | Uint8Array<ArrayBuffer> | undefined> {
  if (!bytes) return (await text(limit)) || undefined
  const whole = await bytes(limit)
  return whole.length > 0 ? (whole as Uint8Array<ArrayBuffer>) : undefined
}

/**
 * Converts the `Response` of a function in `routes`, which may come from another server, to a `MockResponse`.
 * An event stream stays a stream, and any other body is read first; `Response.error()` drops the connection.
 */
export async function fromResponse(response: Response): Promise<MockResponse> {
  const { status, body, url } = response
  const omitted = url === '' ? /^set-cookie$/ : connectionHeaders
  const headers: HeaderList = [...response.headers].filter(([name]) => !omitted.test(name))
  for (const cookie of response.headers.getSetCookie()) headers.push(['Set-Cookie', cookie])
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  if (body === null || isStream) return { status, headers, body }
  return { status, headers, body: new Uint8Array(await response.arrayBuffer()) }
}

/**
 * Replaces `json()` and `formData()` of a request: for a malformed body they reject with a MockError of
 * status 400, which blames the client.
 */
export function withReaders(request: Request, limits: Limits): Request {
  const { formData } = Request.prototype
  return Object.defineProperties(request, {
    json: { value: async () => readJson(await request.text(), limits) },
    formData: {
      value: async () => {
        const { bodyUsed } = request
        try {
          return await formData.call(request)
        } catch (cause) {
          throw bodyUsed ? cause : invalidBody('it is not a form', 'Please send a form.', cause)
        }
      },
    },
  })
}

/**
 * The headers of another server's response that the mock does not pass on: they describe that connection, the coding
 * that `fetch` has removed, or the CORS rules of the other server. Cookies are added line by line.
 */
const connectionHeaders =
  /^(?:access-control-.*|connection|content-encoding|keep-alive|set-cookie|trailer|upgrade)$/

/** Converts the headers, without those that the new request sets itself: `Host` and `Content-Length`. */
function toHeaders({ headers }: MockRequest): Headers {
  const kept = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !/^:|^(?:host|content-length)$/.test(name)) kept.set(name, value)
  }
  return kept
}

function toFormData(fields: readonly FormField[]): FormData {
  const form = new FormData()
  for (const [name, value] of fields) {
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, toFile(value))
  }
  return form
}

function toFile({ name, type, url }: Exclude<FormField[1], string>): File {
  const binary = atob(url.slice(url.lastIndexOf(',') + 1))
  return new File([Uint8Array.from(binary, (char) => char.charCodeAt(0))], name, { type })
}
