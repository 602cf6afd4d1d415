import type { Check } from '../errors/check.ts'

/** An http URL without credentials, query and fragment; the core has no `URL`. */
const url = /^https?:\/\/(?:[^\s/?#@[\]:]+|\[[\da-f:.]+\])(?::\d{1,5})?(?:\/[^\s?#]*)?$/i

/** The check of a URL of a server. */
export const isServerUrl: Check = [
  (value) => typeof value === 'string' && url.test(value),
  'the URL of a server, such as "https://api.example.com"',
]
