import { type Signal, signal } from '@preact/signals'
import { ask, ControlError, session } from '../control.ts'

/** A resource, as the control API describes it. */
export interface Resource {
  name: string
  path: string
  kind: 'collection' | 'singleton' | 'document'
  count: number
  /** The field that identifies the records of a collection. */
  idField?: string
}

/** A record. */
export type Row = Record<string, unknown>

/** The state of the mock at `/__mock/state`. */
export interface State {
  base: string
  dialect: string
  resources: Resource[]
  behaviours: { name: string; controls: string[] }[]
  snapshots: string[]
  /** The number of requests in the log. */
  requests: number
}

/** The state of the mock; undefined until it is known. */
export const state: Signal<State | undefined> = signal(undefined)

/** Increases with every change of the data or of the switches. */
export const revision: Signal<number> = signal(0)

/** An error of the connection to the mock; empty for none. */
export const problem: Signal<string> = signal('')

let isAsking = false
let isAskedAgain = false

/** Fetches the state again, and with it whatever depends on {@link revision}. Calls share a request. */
export async function refresh(): Promise<void> {
  if (isAsking) {
    isAskedAgain = true
    return
  }
  isAsking = true
  try {
    state.value = await ask<State>('state')
    problem.value = ''
    revision.value++
  } catch (error) {
    problem.value = toProblem(error)
  } finally {
    isAsking = false
  }
  if (isAskedAgain) {
    isAskedAgain = false
    await refresh()
  }
}

/** An error of the connection to the mock, which names a session that the mock cannot show. */
export function toProblem(error: unknown): string {
  const text = toMessage(error)
  const isUnknown = error instanceof ControlError && error.status === 400 && session !== null
  return isUnknown ? `The session "${session}" cannot be shown. ${text}` : text
}

/** The message of an error. */
export function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Whether the mock has a behaviour. */
export function hasBehaviour(name: string): boolean {
  return state.value?.behaviours.some((one) => one.name === name) ?? false
}

/** The resource with a name. */
export function findResource(name: string): Resource | undefined {
  return state.value?.resources.find((one) => one.name === name)
}
