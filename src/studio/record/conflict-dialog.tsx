import { signal, type Signal } from '@preact/signals'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { inTurn } from '../app/notices.ts'
import { go, hrefOf } from '../app/router.ts'
import { toMessage } from '../app/state.ts'
import { insertRecord, writeEdit, type Conflict } from '../data/edits.ts'
import { idIn, mergeOnto, showPending, type Edit } from '../data/pending-edits.ts'
import { useAction, Press, Dialog, Problem } from '../parts/controls.tsx'
import { ValueTable } from '../parts/value-table.tsx'

/**
 * Writes an edit. If others have changed its fields in the meantime, opens a dialog that asks which change to
 * keep. Returns whether the edit is written.
 */
export async function writeOrAsk(edit: Edit): Promise<boolean> {
  const found = await showPending(edit, async () => inTurn(async () => writeEdit(edit)))
  if (found) conflicts.value = [...conflicts.value, found]
  return found === undefined
}

/**
 * Asks what to do with an edit of fields that others have changed in the meantime. The page shows the dialog
 * over every view.
 */
export function ConflictDialog(): VNode | null {
  const [conflict] = conflicts.value
  // The key makes each question a dialog of its own.
  return conflict ? <ConflictQuestion key={conflict} conflict={conflict} /> : null
}

/** The conflicts that the page asks about, one after the other, whichever view it shows meanwhile. */
const conflicts: Signal<readonly Conflict[]> = signal([])

function ConflictQuestion({ conflict }: { conflict: Conflict }): VNode {
  const { edit, current, fields } = conflict
  const [error, setError] = useState('')
  const end = (): void => {
    conflicts.value = conflicts.value.filter((one) => one !== conflict)
  }
  async function keep(): Promise<void> {
    if (current) {
      await writeOrAsk({ ...edit, base: current, next: mergeOnto(current, edit) })
      end()
      return
    }
    const added = await inTurn(async () => insertRecord(edit.resource, edit.next))
    end()
    go(hrefOf('data', edit.resource.name, { record: idIn(edit.resource, added) }))
  }
  const { run, isRunning } = useAction(async () =>
    keep().catch((caught: unknown) => setError(toMessage(caught))),
  )
  return (
    <Dialog title={current ? 'Changed in the meantime' : 'Removed in the meantime'} onEnd={end}>
      {current ? (
        <ValueTable fields={fields} left={['Yours', edit.next]} right={['Now', current]} />
      ) : (
        <p>The record was removed while you edited it.</p>
      )}
      <Problem text={error} />
      <div class="bar">
        <Press
          text={current ? 'Keep mine' : 'Add it again'}
          kind="main"
          aria-disabled={isRunning}
          run={() => run()}
        />
        <Press text={current ? 'Keep theirs' : 'Leave it removed'} run={end} />
      </div>
    </Dialog>
  )
}
