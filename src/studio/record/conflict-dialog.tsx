import { type Signal, signal } from '@preact/signals'
import type { VNode } from 'preact'
import { attempt } from '../app/notices.ts'
import { hrefOf, go } from '../app/router.ts'
import { type Conflict, type Edit, insertRecord, mergeOnto, writeEdit } from '../data/edits.ts'
import { Dialog } from '../parts/dialog.tsx'
import { ValueTable } from '../parts/value-table.tsx'

/** The conflict that the page asks about, whichever view it shows meanwhile. */
const conflict: Signal<Conflict | undefined> = signal(undefined)

/**
 * Writes an edit; where others have changed its fields in the meantime, the page asks what to do. Returns whether
 * the edit is written.
 */
export async function writeOrAsk(edit: Edit): Promise<boolean> {
  conflict.value = await writeEdit(edit)
  return conflict.value === undefined
}

/** Asks what to do with an edit of fields that others have changed in the meantime. */
export function ConflictDialog(): VNode | null {
  if (!conflict.value) return null
  const { edit, current, fields } = conflict.value
  const end = (): void => void (conflict.value = undefined)
  const keep = (): void =>
    void attempt(async () => {
      if (current) {
        await writeOrAsk({ ...edit, base: current, next: mergeOnto(current, edit) })
        return
      }
      const added = await insertRecord(edit.resource, edit.next)
      end()
      const id = String(added[edit.resource.idField ?? 'id'])
      go(hrefOf('data', edit.resource.name, { record: id }))
    })
  return (
    <Dialog title={current ? 'Changed in the meantime' : 'Removed in the meantime'} onEnd={end}>
      {current ? (
        <ValueTable fields={fields} left={['Yours', edit.next]} right={['Now', current]} />
      ) : (
        <p>The record was removed while you edited it.</p>
      )}
      <div class="bar">
        <button type="button" class="main" onClick={keep}>
          {current ? 'Keep mine' : 'Add it again'}
        </button>
        <button type="button" onClick={end}>
          {current ? 'Keep theirs' : 'Leave it removed'}
        </button>
      </div>
    </Dialog>
  )
}
