import type { Clock } from '../../time/clock.ts'
import type { Answer } from '../../dialects/contract/dialect.ts'
import { MockError } from '../../errors/mock-error.ts'
import { after, type MaybePromise } from '../../http/contract/messages.ts'
import { rescue } from '../../http/pipeline/rescue.ts'
import { phraseOf } from '../../errors/status.ts'

/**
 * Runs the actions of `states` that take time: responds with 202 (RFC 9110 §15.3.3) and the URL at which
 * clients read the progress of the action.
 */
export interface Operations {
  /**
   * Runs `work` after some milliseconds. Returns a 202 with the URL of the progress in `Location`, which is
   * below the path of the action at an origin.
   * @throws MockError 409 while an operation of the same path is running
   */
  start(
    path: string,
    origin: string,
    milliseconds: number,
    work: () => MaybePromise<unknown>,
  ): Answer
  /** Returns the progress of an operation. @throws MockError 404 */
  answer(path: string): Answer
  reset(): void
}

interface Operation {
  id: string
  status: 'running' | 'succeeded' | 'failed'
  startedAt: string
  finishedAt?: string
  error?: { title: string; status: number; detail: string }
}

/**
 * Creates the operations of a world. The URL of an operation is the path that started it, plus an id.
 * `onFailure` is called with unexpected errors and the name of the failed task.
 */
export function createOperations(
  clock: Clock,
  onFailure: (error: unknown, doing: string) => void,
): Operations {
  const operations = new Map<string, { operation: Operation; due: number; cancel: () => void }>()
  const running = new Map<string, Operation>()
  let count = 0

  const time = (): string => new Date(clock.now()).toISOString()

  function run(operation: Operation, path: string, work: () => MaybePromise<unknown>): void {
    const succeed = (): void => end(operation, path)
    const fail = (error: unknown): void => {
      const isExpected = error instanceof MockError
      if (!isExpected) onFailure(error, `finish "${path}" (${operation.id})`)
      const { status, message } = isExpected ? error : new MockError('Failed to finish.')
      operation.error = { title: phraseOf(status), status, detail: message }
      end(operation, path)
    }
    void rescue(() => after(work(), succeed), fail)
  }

  function end(operation: Operation, path: string): void {
    operation.status = operation.error ? 'failed' : 'succeeded'
    operation.finishedAt = time()
    running.delete(path)
  }

  function describe(path: string, status = 200, headers: Answer['headers'] = []): Answer {
    const found = operations.get(path)
    if (!found) {
      throw new MockError(`Failed to find "${path}": there is no such operation.`, {
        status: 404,
        code: 'NOT_FOUND',
      })
    }
    const { operation, due } = found
    if (operation.status === 'running') {
      headers.push(['Retry-After', String(Math.max(1, Math.ceil((due - clock.now()) / 1000)))])
    }
    return { status, headers, value: { ...operation } }
  }

  return {
    start(path, origin, milliseconds, work) {
      const current = running.get(path)
      if (current) {
        throw new MockError(
          `Failed to start "${path}": the action is already running. Please wait for "${path}/${current.id}".`,
          { status: 409, code: 'UNDER_WAY' },
        )
      }
      const operation: Operation = { id: String(++count), status: 'running', startedAt: time() }
      running.set(path, operation)
      const cancel = clock.after(milliseconds, () => run(operation, path, work), true)
      const progress = `${path}/${operation.id}`
      operations.set(progress, { operation, due: clock.now() + milliseconds, cancel })
      return describe(progress, 202, [['Location', origin + progress]])
    },
    answer: (path) => describe(path),
    reset() {
      for (const { cancel } of operations.values()) cancel()
      operations.clear()
      running.clear()
      count = 0
    },
  }
}
