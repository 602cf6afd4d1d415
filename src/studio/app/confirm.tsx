import { signal, type Signal } from '@preact/signals'
import type { VNode } from 'preact'
import { request } from '../control.ts'
import { ActionDialog } from '../parts/controls.tsx'
import { inTurn, report } from './notices.ts'
import { refresh } from './state.ts'
import { plural } from '../parts/with-commas.ts'
import { status } from './status.ts'

/** Asks before an action that removes data. */
export function confirm(next: Question): void {
  question.value = next
}

/** Shows the question of {@link confirm} over every view. */
export function ConfirmDialog(): VNode | null {
  const asked = question.value
  if (!asked) return null
  const end = (): void => {
    question.value = undefined
  }
  return (
    <ActionDialog
      title={asked.title}
      class="small"
      button={asked.button}
      run={asked.run}
      onEnd={end}
    >
      <p>{asked.text}</p>
    </ActionDialog>
  )
}

/** A question before an action. */
export interface Question {
  title: string
  text: string
  /** The button that runs the action. */
  button: string
  run(): Promise<unknown>
}

const question: Signal<Question | undefined> = signal(undefined)

/** Begins the names of the snapshots that the page takes itself, which it does not list. */
export const undoPrefix = 'before-'

/** Sends a request that removes data, after a snapshot of the data, which the undo restores. */
export async function removeWithUndo(path: string, method: string, text: string): Promise<void> {
  const snapshot = `snapshots/${undoPrefix}${Date.now().toString(36)}`
  await inTurn(async () => {
    await request(snapshot, { method: 'PUT' })
    await request(path, { method })
    report(text, async () => request(snapshot, { method: 'POST' }))
  })
  await refresh()
}

/** Discards all differences from the fixtures, after a question, with an undo. */
export function discardAll(): void {
  const count = plural(status.value.changes.total, 'change')
  confirm({
    title: 'Discard all changes?',
    text: `${count} that ${status.value.changes.total === 1 ? 'is' : 'are'} not saved will be gone. You can undo this.`,
    button: 'Discard',
    run: async () => removeWithUndo('changes', 'DELETE', `Discarded ${count}.`),
  })
}

/** Resets the mock, after a question, with an undo of the data. */
export function resetMock(): void {
  const { total } = status.value.changes
  const lost = total === 0 ? '' : `${plural(total, 'change')} not saved to the fixtures, `
  confirm({
    title: 'Reset the mock?',
    text: `Removes ${lost}all rules, the state of scenarios, the log and sessions, and sets ids and clock back. The data can be undone.`,
    button: 'Reset',
    run: async () => removeWithUndo('reset', 'POST', 'The mock is as it was at the start.'),
  })
}
