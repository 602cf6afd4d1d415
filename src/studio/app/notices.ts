import { type Signal, signal } from '@preact/signals'
import { ControlError } from '../control.ts'
import { toMessage } from './state.ts'

/** A message about what has just happened, with a way back where there is one. */
export interface Notice {
  text: string
  isError: boolean
  undo?: Undo | undefined
}

/** The message that the page shows. */
export const notice: Signal<Notice | undefined> = signal(undefined)

/** Takes a change back. */
type Undo = () => Promise<unknown>

/** The ways back of the last changes, the last one at the end. */
const undos: Undo[] = []

/** The ways back of the changes that are made as one; undefined for single changes. */
let group: Undo[] | undefined

let isUndoing = false

/** Shows what has happened. */
export function report(text: string, undo?: Undo): void {
  if (group) {
    if (undo) group.push(undo)
    return
  }
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

/**
 * Makes several changes, with one message and one way back for all of them. An error takes back those that are made.
 * `change` returns the message.
 */
export async function changeAsOne(change: () => Promise<string>): Promise<void> {
  const made: Undo[] = (group = [])
  async function takeBack(): Promise<void> {
    for (let last = made.at(-1); last; last = made.at(-1)) {
      await last()
      made.pop()
    }
  }
  try {
    const text = await change()
    group = undefined
    report(text, takeBack)
  } catch (error) {
    group = undefined
    if (made.length > 0) {
      undos.push(takeBack)
      await undoLast()
    }
    throw error
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
  try {
    await undo()
    notice.value = { text: 'Undone.', isError: false }
  } catch (error) {
    // Without a response, the change can be taken back later.
    if (error instanceof ControlError && error.status === 0) undos.push(undo)
    reportError(error)
  }
  isUndoing = false
}
