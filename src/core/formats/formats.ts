import { isEmail, isHostname, isIpv4, isIpv6 } from './addresses.ts'
import { isDate, isDateTime, isDuration, isTime } from './dates.ts'
import { isUri, isUriReference, isUriTemplate, isWebUrl } from './uris.ts'

/**
 * The checks of texts by the format that the JSON Schema keyword `format` names (JSON Schema Validation §7.3),
 * for all drafts. Each check takes time proportional to the length of the text, because requests may send long
 * texts.
 */
export const formats: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  'date-time': isDateTime,
  duration: isDuration,
  email: isEmail,
  hostname: isHostname,
  ipv4: isIpv4,
  ipv6: isIpv6,
  'json-pointer': isPointer,
  'json-pointer-uri-fragment': isPointerFragment,
  regex: isRegex,
  'relative-json-pointer': isRelativePointer,
  time: isTime,
  uri: isUri,
  'uri-reference': isUriReference,
  'uri-template': isUriTemplate,
  url: isWebUrl,
  uuid: (text) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
}

/** Whether a text is a JSON Pointer (RFC 6901 §3). */
function isPointer(text: string): boolean {
  return (text === '' || text.startsWith('/')) && !/~(?![01])/.test(text)
}

/** Whether a text is a JSON Pointer as the fragment of a URI (RFC 6901 §6). */
function isPointerFragment(text: string): boolean {
  return text.startsWith('#') && isUriReference(text) && isPointer(text.slice(1))
}

/** Whether a text is a Relative JSON Pointer (draft-bhutton-relative-json-pointer-00 §3). */
function isRelativePointer(text: string): boolean {
  const [start = '', index] = /^(?:0|[1-9]\d*)(#$)?/.exec(text) ?? []
  return start !== '' && (index !== undefined || isPointer(text.slice(start.length)))
}

/** Whether a text is a regular expression of ECMA-262, which has no anchor `\Z`. */
function isRegex(text: string): boolean {
  if (/[^\\]\\Z/.test(text)) return false
  try {
    RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}
