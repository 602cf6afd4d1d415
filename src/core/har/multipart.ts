import { fromBase64 } from '../text/base64.ts'
import type { LoggedForm } from '../log/logged-body.ts'
import type { Redactor } from '../log/redact.ts'
import type { HarParam, HarPostData } from './har.ts'
import { redactText } from './redact-text.ts'

/**
 * Describes a multipart form as the body of a request in a HAR: its fields and files and, for a form without
 * files, also the text that a browser sends.
 */
export function toMultipart(
  form: LoggedForm,
  type: string,
  redactor: Redactor,
): { postData: HarPostData; isRedacted: boolean } {
  const redacted = form.map(([name, value]): LoggedForm[number] => {
    const { [name]: shown } = redactor.redactBody({ [name]: value }) as Record<string, typeof value>
    return [
      name,
      typeof shown === 'string' ? redactText(shown, 'text/plain', redactor) : (shown ?? ''),
    ]
  })
  const boundary = /boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type)
  const text = toText(redacted, boundary?.[1] ?? boundary?.[2] ?? '')
  return {
    postData: {
      mimeType: type,
      params: redacted.map(toParam),
      ...(text !== undefined && { text }),
    },
    isRedacted: redacted.some(([, value], at) => value !== form[at]?.[1]),
  }
}

/** Converts a field or a file to a parameter; a file has its content if that is text. */
function toParam([name, value]: LoggedForm[number]): HarParam {
  if (typeof value === 'string') return { name, value }
  const text = fromBase64(value.url.slice(value.url.indexOf(',') + 1))
  return {
    name,
    fileName: value.name,
    contentType: value.type,
    ...(text === undefined ? { comment: `${value.size} bytes` } : { value: text }),
  }
}

/**
 * Writes the text of a form as a browser sends it (HTML, "multipart/form-data"); undefined for a form with
 * files.
 */
function toText(form: LoggedForm, boundary: string): string | undefined {
  const parts = form.map(([name, value]) =>
    typeof value === 'string'
      ? `--${boundary}\r\nContent-Disposition: form-data; name="${escape(name)}"\r\n\r\n${value}\r\n`
      : undefined,
  )
  return parts.includes(undefined) ? undefined : `${parts.join('')}--${boundary}--\r\n`
}

/** Escapes the characters that browsers escape in the name of a field. */
function escape(name: string): string {
  return name.replaceAll(/["\r\n]/g, encodeURIComponent)
}
