import type { Check } from '../errors/check.ts'

/** The check of an option that is the URL of a server behind a proxy. */
export const isServerUrl: Check = [
  (value) => typeof value === 'string' && url.test(value),
  'the URL of a server, such as "https://api.example.com"',
]

/** An http URL without credentials, query and fragment; the core has no `URL`. */
const url = /^https?:\/\/(?:[^\s/?#@[\]:]+|\[[\da-f:.]+\])(?::\d{1,5})?(?:\/[^\s?#]*)?$/i
