import { type Signal, signal } from '@preact/signals'
import { ask, ControlError, session } from '../control.ts'

/**
 * The state of the mock (`/__mock/state`), such as its resources and behaviours, which all views share;
 * undefined until the state is known.
 */
export const state: Signal<State | undefined> = signal(undefined)

/** Increases with every change of the data or of the switches. */
export const revision: Signal<number> = signal(0)

/**
 * Fetches the state again, and with it all values that depend on {@link revision}. Calls during a request
 * share the next request, because the response on its way may be older. Resolves once the state is shown.
 */
export async function refresh(): Promise<void> {
  if (asking) {
    askingAgain ??= asking.then(async () => {
      askingAgain = undefined
      return refresh()
    })
    return askingAgain
  }
  asking = askState()
  return asking
}

/** The state of the mock, as the control API describes it. */
export interface State {
  base: string
  dialect: string
  resources: Resource[]
  behaviours: { name: string; controls: string[] }[]
  snapshots: string[]
  /** The number of requests in the log. */
  requests: number
}

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

/** An error of the connection to the mock; empty for none. */
export const problem: Signal<string> = signal('')

let asking: Promise<void> | undefined
let askingAgain: Promise<void> | undefined

async function askState(): Promise<void> {
  try {
    state.value = await ask<State>('state')
    problem.value = ''
    revision.value++
  } catch (error) {
    problem.value = toProblem(error)
  } finally {
    asking = undefined
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
