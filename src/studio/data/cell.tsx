import { ownValue } from '../../core/json/json.ts'
import type { VNode } from 'preact'
import type { Row } from '../app/state.ts'
import { setParams } from '../app/router.ts'
import type { Field } from './fields.ts'
import { keysOf, recordHref, type Relation } from './relations.ts'

/**
 * Shows a value in the grid: an id as a link that opens its record, a foreign key as a link to the record that
 * the key names, any other value as text.
 */
export function CellContent({ name, record, field, idField, relations }: CellContentProps): VNode {
  const value = ownValue(record, field.name)
  if (field.name === idField) {
    const open = (event: Event): void => {
      event.preventDefault()
      setParams({ record: String(value), new: undefined })
    }
    return (
      <a
        tabIndex={-1}
        href={recordHref(name, value)}
        title={`Open ${String(value)}`}
        onClick={open}
      >
        {String(value)}
      </a>
    )
  }
  const relation = relations.find((one) => one.from === name && one.field === field.name)
  if (relation && value !== null && value !== undefined) {
    return (
      <>
        {keysOf(record, relation).map((id) => (
          <a key={id} tabIndex={-1} class="relation" href={recordHref(relation.to, id)}>
            {id}
          </a>
        ))}
      </>
    )
  }
  return <Value value={value} />
}

/** Shows a value as text; its kind is visible by its style. */
export function Value({ value }: { value: unknown }): VNode {
  if (value === undefined) return <span class="missing">–</span>
  if (value === null) return <span class="null">null</span>
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return (
    <span
      class={`value ${typeof value}`}
      title={text.length > 24 ? text.slice(0, 2000) : undefined}
    >
      {text.slice(0, 400)}
    </span>
  )
}

/** The properties of {@link CellContent}. */
export interface CellContentProps {
  name: string
  record: Row
  field: Field
  idField: string
  relations: readonly Relation[]
}
