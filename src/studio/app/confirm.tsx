import { type Signal, signal } from '@preact/signals'
import type { VNode } from 'preact'
import { request } from '../control.ts'
import { ActionDialog } from '../parts/controls.tsx'
import { inTurn, report } from './notices.ts'
import { refresh } from './state.ts'

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
