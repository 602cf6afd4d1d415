import { CopyPlus, FileDown, PencilLine, Trash2 } from 'lucide'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { Resource } from '../app/state.ts'
import { Press, ActionDialog, Choice, Cross } from '../parts/controls.tsx'
import { plural } from '../parts/with-commas.ts'
import { findRecords, writeAll } from './edits.ts'
import { parseValue, withFieldValue, type Field } from './fields.ts'
import { duplicate } from './row-menu.tsx'
import { downloadRows } from './transfer.ts'
import { ValueInput } from './value-input.tsx'

/** The actions on the selected records: set a field, duplicate, export, delete. */
export function BulkBar({ resource, fields, selected, onRemove, onEnd }: BulkBarProps): VNode {
  const [isSetting, setSetting] = useState(false)
  return (
    <div class="filters bulk" role="group" aria-label="Selected records">
      <strong>{selected.length} selected</strong>
      <Press icon={PencilLine} text="Set a field" run={() => setSetting(true)} />
      <Press
        icon={CopyPlus}
        text="Duplicate"
        run={async () => duplicate(resource, await findRecords(resource, selected))}
      />
      <Press
        icon={FileDown}
        text="Export"
        run={async () => downloadRows('json', resource.name, await findRecords(resource, selected))}
      />
      <Press icon={Trash2} text={`Delete ${selected.length}`} kind="danger" run={onRemove} />
      <Cross label="Select nothing" run={onEnd} />
      {isSetting && (
        <SetFieldDialog {...{ resource, fields, selected }} onEnd={() => setSetting(false)} />
      )}
    </div>
  )
}

interface BulkBarProps {
  resource: Resource
  fields: readonly Field[]
  /** The ids of the selected records. */
  selected: readonly string[]
  onRemove(): Promise<void>
  onEnd(): void
}

function SetFieldDialog({
  resource,
  fields,
  selected,
  onEnd,
}: Omit<BulkBarProps, 'onRemove'>): VNode {
  const offered = fields.filter(({ name, isReadOnly }) => name !== resource.idField && !isReadOnly)
  const [field, setField] = useState(offered[0])
  const [text, setText] = useState('')
  async function run(): Promise<void> {
    if (!field) return
    const value = parseValue(text, field)
    const records = await findRecords(resource, selected)
    await writeAll(
      resource,
      records.map((base) => ({ base, next: withFieldValue(base, field.name, value) })),
    )
  }
  return (
    <ActionDialog
      title={`Set a field of ${plural(selected.length, 'record')}`}
      class="small"
      button={`Set ${selected.length}`}
      run={run}
      onEnd={onEnd}
    >
      <label class="field">
        Field
        <Choice
          value={field?.name ?? ''}
          options={offered.map(({ name }) => name)}
          onChoose={(value) => {
            setField(offered.find(({ name }) => name === value))
            setText('')
          }}
        />
      </label>
      {field && (
        <div class="field" key={field.name}>
          <ValueInput field={field} text={text} label="Value" onInput={setText} />
        </div>
      )}
    </ActionDialog>
  )
}
