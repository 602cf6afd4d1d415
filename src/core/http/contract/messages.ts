import type { Change } from '../../store/store.ts'

/** A request as a face passes it to the mock: plain data, and functions that read the body. */
export interface MockRequest {
  /** As sent: methods are case-sensitive (RFC 9110 §9.1). */
  method: string
  /** The path as sent, percent-encoded: `/posts/1`. */
  path: string
  /** The query with its question mark, or an empty string: `?views=1`. */
  search: string
  /** Scheme and authority: `http://localhost:3000`. */
  origin: string
  /** The version of HTTP if the face knows the version and it is not 1.1: `2.0`. */
  httpVersion?: string | undefined
  /** Header values by lower-case name; repeated lines joined by a comma. */
  headers: Readonly<Record<string, string | undefined>>
  /** Reads the body as UTF-8, once. @throws MockError 413 when it has more bytes than `limit` */
  text(limit: number): MaybePromise<string>
  /** Reads the body as a multipart form. @throws MockError 400 when it is none, 413 beyond `limit` bytes */
  form(limit: number): MaybePromise<FormField[]>
  /** Reads the body as bytes; undefined once it was read as text. @throws MockError 413 beyond `limit` bytes */
  bytes?: ((limit: number) => MaybePromise<Uint8Array>) | undefined
  /** Reads the body in chunks, without holding it; the same errors as `bytes`. */
  stream?: ((limit: number) => AsyncIterable<Uint8Array>) | undefined
  /** Reads a multipart form part by part: those that the function names as streams, the others up to `limit` bytes. */
  parts?:
    | ((
        isStreamed: (name: string) => boolean,
        limit: number,
      ) => AsyncIterable<FormField | FormPart>)
    | undefined
  /** Calls the listener when the client aborts, also if it has. Returns its removal. Missing if unknown. */
  onAbort?: ((listener: () => void) => () => void) | undefined
  /** The method and URL as the client sent them, if a middleware of the server has changed one of them. */
  received?: Pick<MockRequest, 'method' | 'path' | 'search'> | undefined
  /** The behaviours that have sent the request here from another mock. Not for faces. */
  diverted?: readonly string[]
  /** Gets the changes of what the path names, in place of a response with a stream. Not for faces. */
  subscriber?: ChangeListener | undefined
}

/** Is notified of the changes that a request may see, as long as its response is open. */
export interface ChangeListener {
  /** Called before the first change, with the id of the last change so far and the parameters without effect. */
  opened(lastEventId: string, ignored: readonly string[]): void
  notify(event: ChangeEvent): void
}

/** A change as a request sees it, such as `created` for a record that enters the view of the request. */
export interface ChangeEvent {
  /** Orders the changes of a mock: `mbx2k1-7`. */
  id: string
  change: Change
  /** The change of the stored record. */
  stored: Change
}

/** A field of a multipart form, in the order of the body. */
export type FormField = [name: string, value: string | UploadedFile]

/** A file of a multipart form, whose bytes are read before the next part. */
export interface FormPart {
  field: string
  name: string
  type: string
  bytes: AsyncIterable<Uint8Array>
}

/** An uploaded file as it is stored. */
export type UploadedFile = {
  name: string
  type: string
  /** In bytes. */
  size: number
  /** The content as a data URL. */
  url: string
}

/** A response as a face sends it. Status 0 is a network error: the connection is dropped. */
export interface MockResponse {
  status: number
  headers: HeaderList
  body: MockBody
  /** Serves the socket of a 101 (RFC 6455), which the face connects to its client. */
  socket?: OpenSocket
}

/** Serves a connected client. Returns the functions that the face calls with the messages of the client and the close. */
export type OpenSocket = (client: SocketClient) => SocketListener

/** A client of a socket, as a face passes it to the mock. */
export interface SocketClient {
  send(message: SocketMessage): void
  /** Closes the socket with a code and a reason (RFC 6455 §7.4). */
  close(code: number, reason: string): void
  /** Sends a ping frame; missing where the transport has none. */
  ping?(): void
  /** The number of bytes that wait for the client; missing if the face does not know. */
  waiting?(): number
}

/** The functions of a behaviour that serve one socket. */
export interface SocketListener {
  message(message: SocketMessage): void
  /** Called once, when the client, the mock or the connection has closed the socket. */
  close(code: number, reason: string): void
}

/** A text message or a binary message. */
export type SocketMessage = string | Uint8Array

/** Header lines in the order in which they are sent. */
export type HeaderList = [name: string, value: string][]

/** A response body; null for none. */
export type MockBody = string | Uint8Array | BodyStream | null

/** A body that is sent chunk by chunk; an error in the iterator aborts the connection. */
export interface BodyStream extends AsyncIterable<string | Uint8Array> {
  /** The body that the chunks are parts of, if known. For the log. */
  source?: BodySource
  /** The number of bytes, if known. */
  size?: number
}

/** A body that is sent slowly or in part. */
export interface BodySource {
  body: string | Uint8Array
  /** The index at which the stream ends, or breaks the connection. */
  end: number
}

/** Whether a value is bytes; true also for the `Uint8Array` of another realm, as in jsdom. */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value)
}

/** Whether a body is a stream, whose size is unknown. */
export function isStream(body: MockBody): body is BodyStream {
  return typeof body === 'object' && body !== null && !isBytes(body)
}

/** Whether responses of a status never have a body (RFC 9110 §15). */
export function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304 || status === 101
}

/** Whether the method only reads (RFC 9110 §9.2.1). */
export function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'QUERY'
}

/** Whether a request is a WebSocket handshake (RFC 6455 §4.1). */
export function isHandshake({ method, headers }: Pick<MockRequest, 'method' | 'headers'>): boolean {
  return method === 'GET' && headers['upgrade']?.toLowerCase() === 'websocket'
}

/** Returns the token in `Authorization` (RFC 6750 §2.1). */
export function bearerOf({ headers }: Pick<MockRequest, 'headers'>): string | undefined {
  return /^bearer\s+(\S+)$/i.exec(headers['authorization'] ?? '')?.[1]
}

/** Returns the first value of a header; the case of the name does not count. */
export function headerOf(headers: HeaderList, name: string): string | undefined {
  const wanted = name.toLowerCase()
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1]
}

/** A value, or a promise of the value if something has to be awaited; `andThen` continues with either. */
export type MaybePromise<T> = T | Promise<T>

/** Calls `next` with the value: now, or when the promise resolves. */
export function andThen<T, R>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<R>,
): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** Runs a function; if it throws or its promise rejects, returns the result of `next` with the error. */
export function tryOr<T>(
  run: () => MaybePromise<T>,
  next: (error: unknown) => MaybePromise<T>,
): MaybePromise<T> {
  try {
    const value = run()
    return value instanceof Promise ? value.catch(next) : value
  } catch (error) {
    return next(error)
  }
}
