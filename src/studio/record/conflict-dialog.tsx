import type { VNode } from 'preact'
import { attempt } from '../app/notices.ts'
import { hrefOf, go } from '../app/router.ts'
import { changedFields, type Conflict, insertRecord, writeEdit } from '../data/edits.ts'
import { Value } from '../data/cell.tsx'
import { Dialog } from '../parts/dialog.tsx'

/** The properties of {@link ConflictDialog}. */
export interface ConflictDialogProps {
  conflict: Conflict
  /** Ends the dialog, or shows a further conflict. */
  onEnd(next?: Conflict): void
}

/** Asks what to do with an edit of fields that others have changed in the meantime. */
export function ConflictDialog({ conflict, onEnd }: ConflictDialogProps): VNode {
  const { edit, current, fields } = conflict
  const keep = (): void =>
    void attempt(async () => {
      if (current) return onEnd(await writeEdit({ ...edit, base: current, next: merge() }))
      const added = await insertRecord(edit.resource, edit.next)
      onEnd()
      const id = String(added[edit.resource.idField ?? 'id'])
      go(hrefOf('data', edit.resource.name, { record: id }))
    })
  const merge = (): Conflict['edit']['next'] => {
    const next = { ...current }
    for (const key of changedFields(edit.base, edit.next)) {
      if (key in edit.next) next[key] = edit.next[key]
      else delete next[key]
    }
    return next
  }
  return (
    <Dialog
      title={current ? 'Changed in the meantime' : 'Removed in the meantime'}
      onEnd={() => onEnd()}
    >
      {current ? (
        <table>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Yours</th>
              <th scope="col">Now</th>
            </tr>
          </thead>
          <tbody>
            {fields.map((field) => (
              <tr key={field}>
                <th scope="row">{field}</th>
                <td>
                  <Value value={edit.next[field]} />
                </td>
                <td>
                  <Value value={current[field]} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <p>The record was removed while you edited it.</p>
      )}
      <div class="bar">
        <button type="button" class="main" onClick={keep}>
          {current ? 'Keep mine' : 'Add it again'}
        </button>
        <button type="button" onClick={() => onEnd()}>
          {current ? 'Keep theirs' : 'Leave it removed'}
        </button>
      </div>
    </Dialog>
  )
}
