import { Activity, Copy, CopyPlus, Maximize2, Terminal, Trash2, type IconNode } from 'lucide'
import type { VNode } from 'preact'
import { inTurn } from '../app/notices.ts'
import { go, hrefOf, setParams } from '../app/router.ts'
import type { Resource, Row } from '../app/state.ts'
import { copyText } from '../parts/copy-text.ts'
import { Press } from '../parts/controls.tsx'
import { MenuList } from '../parts/menu.tsx'
import { insertRecord, removeRecords, writeAll } from './edits.ts'
import { idIn } from './pending-edits.ts'
import { withFieldValue } from './fields.ts'

/** Where the menu of a record is open. */
export interface RowMenuPlace {
  record: Row
  left: number
  top: number
}

/** The menu of a record: open, duplicate, copy, its requests, delete. */
export function RowMenu({ resource, record, left, top, onEnd }: RowMenuProps): VNode {
  return (
    <MenuList
      key={`${left} ${top}`}
      label="Record"
      isOpen
      anchor={() => new DOMRect(left, top)}
      onToggle={(isOpen) => isOpen || onEnd()}
    >
      {recordActions(resource, record).map(({ icon, label, kind, run }) => (
        <Press key={label} {...{ icon, kind, run }} text={label} />
      ))}
    </MenuList>
  )
}

interface RowMenuProps extends RowMenuPlace {
  resource: Resource
  onEnd(): void
}

/** An action on a record. */
interface RecordAction {
  icon: IconNode
  label: string
  kind?: string
  run(): Promise<unknown>
}

/** The actions on a record, for its menus. */
export function recordActions(resource: Resource, record: Row): RecordAction[] {
  const id = idIn(resource, record)
  const path = `${resource.path}/${encodeURIComponent(id)}`
  return [
    {
      icon: Maximize2,
      label: 'Open',
      run: async () => setParams({ record: id, new: undefined }),
    },
    { icon: CopyPlus, label: 'Duplicate', run: async () => duplicate(resource, [record]) },
    {
      icon: Copy,
      label: 'Copy as JSON',
      run: async () => copyText(JSON.stringify(record, null, 2)),
    },
    {
      icon: Terminal,
      label: 'Copy as curl',
      run: async () => copyText(`curl '${location.origin}${path}'`),
    },
    {
      icon: Activity,
      label: 'Show its requests',
      run: async () => go(hrefOf('requests', '', { q: path })),
    },
    {
      icon: Trash2,
      label: 'Delete',
      kind: 'danger',
      run: async () => removeRecords(resource, [id]),
    },
  ]
}

/** Adds copies of records with new ids, and shows a single one. */
export async function duplicate(resource: Resource, records: readonly Row[]): Promise<void> {
  const { name, idField = 'id' } = resource
  const copies = records.map((record) => withFieldValue(record, idField, undefined))
  const [first] = copies
  if (!first || copies.length > 1)
    return writeAll(
      resource,
      copies.map((next) => ({ base: undefined, next })),
    )
  const added = await inTurn(async () => insertRecord(resource, first))
  go(hrefOf('data', name, { record: idIn(resource, added) }))
}
