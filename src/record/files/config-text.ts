import { isRecord, isSame, type JsonRecord } from '../../core/json/json.ts'
import { createFixtureText } from '../../loader/persist/patch-text.ts'
import { childSpans, rootSpan } from '../../loader/text/spans.ts'

/** Writes the text of a new configuration file: one option a line, each below a comment with its evidence. */
export function toConfigText(config: JsonRecord, evidence: Evidence): string {
  const lines = writeObject(config, [], evidence, '  ')
  return `// Written from a recording. Edits stay; a new recording updates the other options.\n${lines}\n`
}

/**
 * Returns the text of a configuration file with other values; comments and layout stay, and a new option gets a
 * comment with its evidence.
 */
export function updateConfigText(
  text: string,
  value: JsonRecord,
  next: JsonRecord,
  evidence: Evidence,
): string {
  const updated = createFixtureText(text, value)
  if (!updated.update(next)) return text
  const changed = Array.from(updated.pieces()).join('')
  return Object.keys(next)
    .filter((key) => !Object.hasOwn(value, key))
    .reduce((commented, key) => addComment(commented, key, evidence.get(key)), changed)
}

/** Merges learned options into those of a file: an option that was edited by hand since `written` stays. */
export function mergeConfig(
  existing: JsonRecord,
  written: JsonRecord,
  learned: JsonRecord,
): JsonRecord {
  const merged: JsonRecord = { ...existing }
  for (const key of new Set([...Object.keys(written), ...Object.keys(learned)])) {
    const [now, before, next] = [existing[key], written[key], learned[key]]
    if (isRecord(now) && isRecord(before ?? {}) && isRecord(next)) {
      merged[key] = mergeConfig(now, isRecord(before) ? before : {}, next)
    } else if (isSame(now, before)) {
      if (next !== undefined) merged[key] = next
    }
  }
  return merged
}

/** The reason for each learned option, by the keys of the option joined with dots: `dialect.rest.list`. */
export type Evidence = ReadonlyMap<string, string>

/** The members that hold several options, each with evidence. */
const nested = new Set(['id', 'relations', 'dialect'])

function writeObject(
  value: JsonRecord,
  path: readonly string[],
  evidence: Evidence,
  indent: string,
): string {
  const members = Object.entries(value).map(([key, inner]) => {
    const at = [...path, key]
    const why = evidence.get(at.join('.'))
    const comment = why === undefined ? '' : `${indent}// ${why}\n`
    const isOpen = isRecord(inner) && nested.has(at[0] ?? '') && at.length < 3
    const text = isOpen
      ? writeObject(inner, at, evidence, `${indent}  `)
      : JSON.stringify(inner, null, 1).replaceAll(/\n\s*/g, ' ')
    return `${comment}${indent}${JSON.stringify(key)}: ${text}`
  })
  return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n${indent.slice(2)}}`
}

function addComment(text: string, key: string, why: string | undefined): string {
  if (why === undefined) return text
  const span = childSpans(text, rootSpan(text).start).find((child) => child.key === key)
  if (!span) return text
  const lineStart = text.lastIndexOf('\n', span.keyStart) + 1
  const indent = text.slice(lineStart, span.keyStart)
  if (indent.trim() !== '') return text
  return `${text.slice(0, lineStart)}${indent}// ${why}\n${text.slice(lineStart)}`
}
