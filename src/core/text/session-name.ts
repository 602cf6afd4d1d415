/**
 * Whether a text can name a session: 1 to 128 printable ASCII characters, which headers and the log can hold,
 * without a space at either end, which headers lose.
 */
export function isSessionName(text: unknown): text is string {
  return typeof text === 'string' && /^(?! )[\x20-\x7e]{1,128}(?<! )$/.test(text)
}

/** The header that names a session, unless `sessions` has another one. */
export const sessionHeader = 'X-Mock-Session'

/** The cookie that names a session where the header is missing, unless `sessions` has another one. */
export const sessionCookie = 'mock-session'
