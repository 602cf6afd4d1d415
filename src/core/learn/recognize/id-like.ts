/**
 * Whether a segment of a path looks like an id and not like a name: a number, a UUID, a hexadecimal or a random
 * text.
 */
export function isIdLike(segment: string): boolean {
  return (
    /^-?\d+$/.test(segment) ||
    /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(segment) ||
    /^(?=.*\d)[\da-f]{16,}$/i.test(segment) ||
    /^[\dA-HJKMNP-TV-Z]{26}$/.test(segment) ||
    /^(?=.*\d)(?=.*[A-Za-z])[\w-]{10,}$/.test(segment) ||
    /^[a-z]{1,5}[_-]\d+$/i.test(segment)
  )
}

/** Names of paths that compute something instead of showing a resource: searches, reports, logins. */
const actions =
  /^(?:(?:.*[-_.])?(?:search|find|query|lookup|suggest(?:ions)?|autocomplete|report|stats|statistics|summary|summaries|aggregat\w*|analytics|metrics|count|exists|export|import|download|upload|login|log-?in|logout|log-?out|signin|sign-?in|signup|sign-?up|register|authenticate|refresh|token|oauth2?|session|validate|verify|check|health|healthz|ping|ready|status|graphql|rpc|batch|bulk|preview|calculate|convert|render|sync))$/i

/** Whether a path name belongs to no resource. */
export function isAction(segment: string): boolean {
  return actions.test(segment) || segment.startsWith('$')
}

/** Whether a name can be that of a fixture file: files that begin with a dot or `_` are ignored. */
export function isFixtureName(segment: string): boolean {
  return /^[\p{L}\p{N}][\p{L}\p{N}._~ -]*$/u.test(segment) && !/\.(?:schema)?$/.test(segment)
}
