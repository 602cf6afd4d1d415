import { phraseOf } from './status.ts'

/** The media type of problem documents. */
export const problemType = 'application/problem+json; charset=utf-8'

/** Returns the problem document (RFC 9457) of an error; `message` repeats the detail, as forms of react-admin show it. */
export function toProblem(
  status: number,
  detail: string,
  members: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  const title = phraseOf(status)
  return { type: 'about:blank', title, status, detail, message: detail, ...members }
}
