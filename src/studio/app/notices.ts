import { type Signal, signal } from '@preact/signals'
import { toMessage } from './state.ts'

/** A message about what has just happened, with a way back where there is one. */
export interface Notice {
  text: string
  isError: boolean
  undo?: (() => Promise<unknown>) | undefined
}

/** The message that the page shows. */
export const notice: Signal<Notice | undefined> = signal(undefined)

/** The ways back of the last changes, the last one at the end. */
const undos: (() => Promise<unknown>)[] = []

let isUndoing = false

/** Shows what has happened. */
export function report(text: string, undo?: () => Promise<unknown>): void {
  // Otherwise, the next undo would take back the undo.
  if (undo && !isUndoing) undos.push(undo)
  if (undos.length > 100) undos.shift()
  notice.value = { text, isError: false, undo }
}

/** Shows an error. */
export function reportError(error: unknown): void {
  notice.value = { text: toMessage(error), isError: true }
}

/** Runs an action of a button, and shows its error. Returns whether there was none. */
export async function attempt(action: () => Promise<unknown>): Promise<boolean> {
  try {
    await action()
    return true
  } catch (error) {
    reportError(error)
    return false
  }
}

/** Takes back the last change. */
export async function undoLast(): Promise<void> {
  const undo = undos.pop()
  if (!undo) {
    report('Nothing to undo.')
    return
  }
  isUndoing = true
  await attempt(async () => {
    await undo()
    notice.value = { text: 'Undone.', isError: false }
  })
  isUndoing = false
}
