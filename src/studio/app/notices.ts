import { type Signal, signal } from '@preact/signals'
import { ControlError } from '../control.ts'
import { place } from './router.ts'
import { toMessage } from './state.ts'

/** Shows a message about a change that has just happened, with a button that undoes the change if `undo` is given. */
export function report(text: string, undo?: Undo): void {
  if (group) {
    if (undo) group.push(undo)
    return
  }
  // Otherwise, the next undo would undo the undo.
  if (undo && !isUndoing) undos.push(undo)
  if (undos.length > 100) undos.shift()
  show({ text, isError: false, undo })
}

/** Shows an error. */
export function reportError(error: unknown): void {
  show({ text: toMessage(error), isError: true })
}

/**
 * Makes a change of the mock, such as the save of a record, after the changes and undos that are on their way,
 * so that an undo finds each of them, and their messages do not mix. A change that waited for another change
 * inside itself would never end.
 */
export async function inTurn<Result>(change: () => Promise<Result>): Promise<Result> {
  const result = lastInTurn.then(change)
  lastInTurn = result.catch(() => undefined)
  return result
}

/** The message about the last change or error, with a way to undo the change. */
export interface Notice {
  text: string
  isError: boolean
  undo?: Undo | undefined
  /** The view, and the resource that it shows, which the message is about. */
  place?: string
}

/** Shows a message as long as the view is the same and, unless it is an error, for some seconds. */
function show(next: Notice): void {
  const { view, name } = place.value
  notice.value = { ...next, place: `${view} ${view === 'data' ? name : ''}` }
  clearTimeout(timer)
  if (!next.isError) timer = setTimeout(() => (notice.value = undefined), 8000)
}

let timer: ReturnType<typeof setTimeout> | undefined

/** The message that the page shows. */
export const notice: Signal<Notice | undefined> = signal(undefined)

/** Undoes a change. */
type Undo = () => Promise<unknown>

/** The undos of the last changes, the latest one at the end. */
const undos: Undo[] = []

/** The undos of the changes that are made as one; undefined while changes are single. */
let group: Undo[] | undefined

let isUndoing = false

/** Settles with the last of the changes and undos that are on their way. */
let lastInTurn: Promise<unknown> = Promise.resolve()

/** Runs the action of a button, and shows its error. Returns whether the action succeeded. */
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
 * Makes several changes, with one message and one undo for all of them. An error undoes those that are made.
 * `change` returns the message.
 */
export async function changeAsOne(change: () => Promise<string>): Promise<void> {
  return inTurn(async () => makeAsOne(change))
}

async function makeAsOne(change: () => Promise<string>): Promise<void> {
  const made: Undo[] = (group = [])
  async function undoAll(): Promise<void> {
    for (let last = made.at(-1); last; last = made.at(-1)) {
      await last()
      made.pop()
    }
  }
  try {
    const text = await change()
    group = undefined
    report(text, made.length > 0 ? undoAll : undefined)
  } catch (error) {
    group = undefined
    if (made.length > 0) {
      undos.push(undoAll)
      await undo()
    }
    throw error
  }
}

/** Undoes the last change, after the changes that are on their way. */
export async function undoLast(): Promise<void> {
  return inTurn(undo)
}

async function undo(): Promise<void> {
  const undoChange = undos.pop()
  if (!undoChange) {
    report('Nothing to undo.')
    return
  }
  isUndoing = true
  try {
    await undoChange()
    show({ text: 'Undone.', isError: false })
  } catch (error) {
    // Without a response, the change can be undone later.
    if (error instanceof ControlError && error.status === 0) undos.push(undoChange)
    reportError(error)
  }
  isUndoing = false
}
