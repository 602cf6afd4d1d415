import type { Redactor } from '../log/redact.ts'
import { redactJson } from './redact-json.ts'

/**
 * Redacts the secrets in the text of a body by its media type: fields of JSON, which may be cut off, and fields
 * of a urlencoded form. Returns any other text as it is.
 */
export function redactText(text: string, type: string, redactor: Redactor): string {
  if (type.includes('urlencoded')) return redactor.redactUrl(`?${text}`).slice(1)
  return isJsonText(text, type) ? redactJson(text, redactor) : text
}

/** Whether a text is JSON by its media type or, under another type, by its first character. */
export function isJsonText(text: string, type: string): boolean {
  return type === '' || type.includes('json') || /^\s*[[{]/.test(text)
}
