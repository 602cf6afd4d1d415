/**
 * Whether a text can name a session: the requests that send the same name share a copy of the mock, which no
 * other request changes (behaviour `sessions`). A name has 1 to 128 printable ASCII characters, because headers
 * and the request log can hold these, and no space at either end, because headers lose it.
 */
export function isSessionName(text: unknown): text is string {
  return typeof text === 'string' && /^(?! )[\x20-\x7e]{1,128}(?<! )$/.test(text)
}

/** The header that names a session, unless the option `header` of `sessions` names another. */
export const sessionHeader = 'X-Mock-Session'

/** The cookie that names a session without the header, unless the option `cookie` of `sessions` names another. */
export const sessionCookie = 'mock-session'
