import { type Signal, signal } from '@preact/signals'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { inTurn } from '../app/notices.ts'
import { hrefOf, go } from '../app/router.ts'
import { toMessage } from '../app/state.ts'
import {
  type Conflict,
  type Edit,
  idIn,
  insertRecord,
  mergeOnto,
  writeEdit,
} from '../data/edits.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Problem } from '../parts/problem.tsx'
import { ValueTable } from '../parts/value-table.tsx'

/** The conflict that the page asks about, whichever view it shows meanwhile. */
const conflict: Signal<Conflict | undefined> = signal(undefined)

/**
 * Writes an edit; where others have changed its fields in the meantime, the page asks what to do. Returns whether
 * the edit is written.
 */
export async function writeOrAsk(edit: Edit): Promise<boolean> {
  const found = await inTurn(async () => writeEdit(edit))
  // The question about an earlier edit stays.
  if (found) conflict.value = found
  return found === undefined
}

/** Asks what to do with an edit of fields that others have changed in the meantime. */
export function ConflictDialog(): VNode | null {
  return conflict.value ? <ConflictQuestion {...conflict.value} /> : null
}

function ConflictQuestion({ edit, current, fields }: Conflict): VNode {
  const [error, setError] = useState('')
  const end = (): void => void (conflict.value = undefined)
  async function keep(): Promise<void> {
    if (current) {
      const next = mergeOnto(current, edit)
      if (await writeOrAsk({ ...edit, base: current, next })) end()
      return
    }
    const added = await inTurn(async () => insertRecord(edit.resource, edit.next))
    end()
    go(hrefOf('data', edit.resource.name, { record: idIn(edit.resource, added) }))
  }
  return (
    <Dialog title={current ? 'Changed in the meantime' : 'Removed in the meantime'} onEnd={end}>
      {current ? (
        <ValueTable fields={fields} left={['Yours', edit.next]} right={['Now', current]} />
      ) : (
        <p>The record was removed while you edited it.</p>
      )}
      <Problem text={error} />
      <div class="bar">
        <button
          type="button"
          class="main"
          onClick={() => void keep().catch((caught: unknown) => setError(toMessage(caught)))}
        >
          {current ? 'Keep mine' : 'Add it again'}
        </button>
        <button type="button" onClick={end}>
          {current ? 'Keep theirs' : 'Leave it removed'}
        </button>
      </div>
    </Dialog>
  )
}
