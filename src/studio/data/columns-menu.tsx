import { Columns3 } from 'lucide'
import type { VNode } from 'preact'
import { Menu } from '../parts/menu.tsx'
import type { ColumnSettings } from './columns.ts'
import type { Field } from './fields.ts'
import { Press } from '../parts/action-button.tsx'

/** The menu that hides and shows columns, and chooses how many stay at the left. */
export function ColumnsMenu({ fields, settings, idField, onChange }: ColumnsMenuProps): VNode {
  const { hidden = [], inner = [], frozen = 1 } = settings
  const toggle = (list: readonly string[], name: string): string[] =>
    list.includes(name) ? list.filter((one) => one !== name) : [...list, name]
  return (
    <Menu label="Columns" icon={Columns3}>
      {fields.map((field) => (
        <div key={field.name}>
          <label>
            <input
              type="checkbox"
              checked={!hidden.includes(field.name)}
              disabled={field.name === idField}
              onChange={() => onChange({ hidden: toggle(hidden, field.name) })}
            />
            {field.name}
          </label>
          {field.inner?.map(({ name }) => (
            <label key={name} class="inner">
              <input
                type="checkbox"
                checked={inner.includes(name)}
                onChange={() => onChange({ inner: toggle(inner, name) })}
              />
              {name}
            </label>
          ))}
        </div>
      ))}
      <hr />
      <label>
        Columns that stay
        <input
          type="number"
          min={0}
          max={5}
          value={frozen}
          onInput={({ currentTarget: { value } }) => onChange({ frozen: Number(value) })}
        />
      </label>
      <Press text="Reset the columns" run={() => onChange(usual)} />
    </Menu>
  )
}

const usual: ColumnSettings = { hidden: [], inner: [], order: [], widths: {}, frozen: 1 }

interface ColumnsMenuProps {
  fields: readonly Field[]
  settings: ColumnSettings
  idField: string
  onChange(changed: ColumnSettings): void
}
