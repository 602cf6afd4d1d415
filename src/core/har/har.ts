/** An HTTP archive, version 1.2 (http://www.softwareishard.com/blog/har-12-spec/), which browsers and Playwright read. */
export interface Har {
  log: {
    version: '1.2'
    creator: { name: string; version: string }
    /** The oldest request first. */
    entries: HarEntry[]
  }
}

/** The options of `mock.log.toHar()`. */
export interface HarOptions {
  /**
   * Whether requests have `postData` in which secrets are redacted. Playwright's `routeFromHAR` compares the body of a
   * POST with `postData`, and answers a login only if the HAR leaves such bodies out. @default true
   */
  redactedBodies?: boolean
}

/** A request and its response. Names that begin with `_` are those of Chromium's HAR files. */
export interface HarEntry {
  /** ISO 8601. */
  startedDateTime: string
  /** In milliseconds. */
  time: number
  request: HarRequest
  response: HarResponse
  cache: Record<string, never>
  /** In milliseconds; the mock measures its own time, which is `wait`. */
  timings: { send: number; wait: number; receive: number }
  _resourceType: string
}

/** A request of a HAR. */
export interface HarRequest {
  method: string
  /** Absolute, as the client sent it. */
  url: string
  httpVersion: string
  cookies: HarCookie[]
  headers: HarPair[]
  queryString: HarPair[]
  postData?: HarPostData
  headersSize: number
  /** In bytes; -1 if unknown. */
  bodySize: number
  comment?: string
}

/** The body of a request: a text, with the fields of a form besides. */
export interface HarPostData {
  mimeType: string
  text?: string
  /** `base64` for a body that is no text; Playwright reads it. */
  encoding?: 'base64'
  params?: HarParam[]
  comment?: string
}

/** A field of a form, or a file. */
export interface HarParam {
  name: string
  value?: string
  fileName?: string
  contentType?: string
  comment?: string
}

/** A response of a HAR. */
export interface HarResponse {
  /** 0 for a dropped connection. */
  status: number
  statusText: string
  httpVersion: string
  cookies: HarCookie[]
  headers: HarPair[]
  content: HarContent
  /** The `Location` of a redirect, or an empty string. */
  redirectURL: string
  headersSize: number
  /** In bytes; -1 if unknown. */
  bodySize: number
  /** Why the response is unusual. */
  comment?: string
  /** The error of a dropped connection. */
  _error?: string
}

/** The body of a response. */
export interface HarContent {
  /** In bytes; -1 if unknown. */
  size: number
  mimeType: string
  text?: string
  encoding?: 'base64'
  /** Why the text is missing or incomplete. */
  comment?: string
}

/** A header, or a parameter of a query. */
export interface HarPair {
  name: string
  value: string
}

/** A cookie. The value is redacted. */
export interface HarCookie extends HarPair {
  path?: string
  domain?: string
  /** ISO 8601. */
  expires?: string
  httpOnly?: boolean
  secure?: boolean
  sameSite?: string
}
