import { type Signal, signal } from '@preact/signals'
import type { RemoteResource, RemoteState } from '../../remote/types.ts'
import { ask, ControlError, session } from '../control.ts'

/**
 * The state of the mock (`/__mock/state`), such as its resources and behaviours, which all views share;
 * undefined until the state is known.
 */
export const state: Signal<RemoteState | undefined> = signal(undefined)

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

/** A resource, as the control API describes it. */
export type Resource = RemoteResource

/** A record. */
export type Row = Record<string, unknown>

/** An error of the connection to the mock; empty for none. */
export const problem: Signal<string> = signal('')

let asking: Promise<void> | undefined
let askingAgain: Promise<void> | undefined

async function askState(): Promise<void> {
  try {
    state.value = await ask<RemoteState>('state')
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
