import { Undo2 } from 'lucide'
import type { VNode } from 'preact'
import { isRecord, isSame, ownValue } from '../../core/json/json.ts'
import type { Row } from '../app/state.ts'
import { Value } from '../data/value.tsx'
import { Press } from './controls.tsx'

/**
 * Shows two states of a record side by side, field by field, so that a person sees what has changed: of objects the
 * changed values inside, of texts the changed words.
 */
export function ValueTable({ fields, left, right, onRevert }: ValueTableProps): VNode {
  const rows = fields.flatMap((field) =>
    differences(field, ownValue(left[1], field), ownValue(right[1], field)),
  )
  return (
    <table class="diff">
      <thead>
        <tr>
          {['Field', left[0], right[0]].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
          {onRevert && (
            <th scope="col" class="revert">
              <span class="hidden">Revert</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map(([path, before, after], at) => {
          const field = fields.find((one) => path === one || path.startsWith(`${one}.`))
          return (
            <tr key={at}>
              <th scope="row">{path}</th>
              <td dir="auto">
                <Changed value={before} other={after} kind="del" />
              </td>
              <td dir="auto">
                <Changed value={after} other={before} kind="ins" />
              </td>
              {onRevert && (
                <td>
                  {field !== undefined && (
                    <Press
                      icon={Undo2}
                      kind="icon"
                      label={`Revert ${field}`}
                      run={() => onRevert(field)}
                    />
                  )}
                </td>
              )}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

interface ValueTableProps {
  fields: readonly string[]
  left: readonly [title: string, record: Row]
  right: readonly [title: string, record: Row]
  /** Sets a field back to its left value. */
  onRevert?: ((field: string) => Promise<unknown>) | undefined
}

/** The differences between two values: one, or those inside of two objects with their paths. */
function differences(
  path: string,
  before: unknown,
  after: unknown,
): [path: string, before: unknown, after: unknown][] {
  if (isSame(before, after)) return []
  if (!isRecord(before) || !isRecord(after)) return [[path, before, after]]
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].flatMap((key) =>
    differences(`${path}.${key}`, ownValue(before, key), ownValue(after, key)),
  )
}

/** Shows a value; of a text, the words that another text does not have in their place are marked. */
function Changed({ value, other, kind: Kind }: ChangedProps): VNode {
  if (typeof value !== 'string' || typeof other !== 'string')
    return value === undefined ? (
      <Value value={value} />
    ) : (
      <Kind>
        <Value value={value} />
      </Kind>
    )
  const words = value.split(/(?<=\s)/)
  const others = other.split(/(?<=\s)/)
  let start = 0
  while (start < words.length && words[start] === others[start]) start++
  let end = 0
  const most = Math.min(words.length, others.length) - start
  while (end < most && words.at(-1 - end) === others.at(-1 - end)) end++
  const middle = words.slice(start, words.length - end).join('')
  return (
    <>
      {words.slice(0, start).join('')}
      {middle !== '' && <Kind>{middle}</Kind>}
      {end > 0 && words.slice(-end).join('')}
    </>
  )
}

interface ChangedProps {
  value: unknown
  other: unknown
  kind: 'ins' | 'del'
}
