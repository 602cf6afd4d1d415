/** A value, or the promise of one where something has to be waited for. */
export type MaybePromise<T> = T | Promise<T>

/** Header lines in the order in which they are written. */
export type HeaderList = [name: string, value: string][]

/** A request as a face hands it over: plain data, and a function that reads the body. */
export interface MockRequest {
  /** As sent: methods are case-sensitive (RFC 9110 §9.1). */
  method: string
  /** The path as sent, percent-encoded: `/posts/1`. */
  path: string
  /** The query with its question mark, or nothing: `?views=1`. */
  search: string
  /** Scheme and authority: `http://localhost:3000`. */
  origin: string
  /** Header values by lower-case name; repeated lines joined by a comma. */
  headers: Readonly<Record<string, string | undefined>>
  /**
   * Reads the body as UTF-8 text; to be called once.
   * @throws MockError 413 when it has more bytes than `limit`
   */
  text(limit: number): MaybePromise<string>
  /**
   * Reads the body as a multipart form instead.
   * @throws MockError 400 when it is none, 413 when it has more bytes than `limit`
   */
  form(limit: number): MaybePromise<FormField[]>
  /**
   * Reads the body byte by byte instead; not there where it has been read as text.
   * @throws MockError 413 when it has more bytes than `limit`
   */
  bytes?: ((limit: number) => MaybePromise<Uint8Array>) | undefined
  /** The behaviours that have led it from another mock to this one. Not for faces. */
  diverted?: readonly string[]
}

/** A field of a multipart form, in the order in which they were sent. */
export type FormField = [name: string, value: string | UploadedFile]

/** A file of a form as it is stored, so that it can be served again. */
export type UploadedFile = {
  name: string
  type: string
  /** In bytes. */
  size: number
  /** The content as a data URL. */
  url: string
}

/** What a body is made of. */
export type MockBody = string | Uint8Array | BodyStream | null

/** A body that is written as it comes; where it throws, the connection breaks off. */
export type BodyStream = AsyncIterable<string | Uint8Array>

/** A response as a face writes it. Status 0 stands for a network error: nothing is answered at all. */
export interface MockResponse {
  status: number
  headers: HeaderList
  body: MockBody
}

/** Whether a value is bytes, also where jsdom has put a class of its own in place of `Uint8Array`. */
export function isBytes(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value)
}

/** Whether a body is a stream, whose size nobody knows. */
export function isStream(body: MockBody): body is BodyStream {
  return typeof body === 'object' && body !== null && !isBytes(body)
}

/** Goes on at once with a value, or later with a promise. */
export function after<T, R>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<R>,
): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** The first value of a header in a response, whatever the case of its name. */
export function headerOf(headers: HeaderList, name: string): string | undefined {
  const wanted = name.toLowerCase()
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1]
}
