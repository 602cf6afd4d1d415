import { findJsonError } from '../../../../src/core/json/json-error.ts'
import { createTextMap } from '../../../../src/loader/text/code-frame.ts'
import { adviceOn } from '../../../../src/loader/text/json-advice.ts'

/** The value of a fixture, or the message of its syntax error with a code frame, as the command reports it. */
export type ParsedFixture = { value: unknown } | { problem: string }

/** Parses the text of a fixture file. */
export function parseFixture(text: string, name: string): ParsedFixture {
  const error = findJsonError(text, 'file')
  if (error === undefined) return { value: JSON.parse(text) as unknown }
  const map = createTextMap(text)
  const position = map.position(error.offset)
  const place = `${name}:${position.line}:${position.column}`
  return { problem: `${place} ${error.problem}. ${adviceOn(error)}\n\n${map.frame(position)}` }
}

/** A JSON text as HTML, with a class for each kind of token. Other characters are escaped and stay as they are. */
export function highlightJson(text: string): string {
  return text.replaceAll(
    /("(?:\\.|[^"\\\n])*"?)(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b|[&<>]/g,
    (token, string?: string, colon?: string) => {
      if (string === undefined) {
        return /^[&<>]/.test(token) ? escapeHtml(token) : `<i class="number">${token}</i>`
      }
      const kind = colon === undefined ? 'string' : 'key'
      return `<i class="${kind}">${escapeHtml(string)}</i>${colon ?? ''}`
    },
  )
}

/** A body as it is shown: JSON with indentation, any other text as it is. */
export function prettyBody(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
