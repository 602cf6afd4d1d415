import type { Clock } from '../../time/clock.ts'
import type { Answer } from '../../dialects/contract/dialect.ts'
import { MockError } from '../../errors/mock-error.ts'
import { after, type MaybePromise } from '../../http/contract/messages.ts'
import { rescue } from '../../http/pipeline/rescue.ts'
import { phraseOf } from '../../errors/status.ts'

/** Things that take their time, and how far they are (RFC 9110 §15.3.3). */
export interface Operations {
  /**
   * Does something after that many milliseconds, and says 202 and where to ask for it.
   * @throws MockError 409 while the same is under way
   */
  start(path: string, milliseconds: number, work: () => MaybePromise<unknown>): Answer
  /** How far it is. @throws MockError 404 */
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
 * Creates a place for operations; the place of each is below the path that started it. `onFailure` hears
 * of a failure that nobody expected, and what it kept from being done.
 */
export function createOperations(
  clock: Clock,
  onFailure: (error: unknown, doing: string) => void,
): Operations {
  const known = new Map<string, { operation: Operation; due: number; cancel: () => void }>()
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

  function describe(path: string, status: number): Answer {
    const held = known.get(path)
    if (!held) {
      throw new MockError(`Failed to find "${path}": there is no such operation.`, {
        status: 404,
        code: 'NOT_FOUND',
      })
    }
    const { operation, due } = held
    const headers: Answer['headers'] = status === 202 ? [['Location', path]] : []
    if (operation.status === 'running') {
      headers.push(['Retry-After', String(Math.max(1, Math.ceil((due - clock.now()) / 1000)))])
    }
    return { status, headers, value: { ...operation } }
  }

  return {
    start(path, milliseconds, work) {
      const before = running.get(path)
      if (before) {
        throw new MockError(
          `Failed to start "${path}": it is under way. Please wait for "${path}/${before.id}".`,
          { status: 409, code: 'UNDER_WAY' },
        )
      }
      const operation: Operation = { id: String(++count), status: 'running', startedAt: time() }
      running.set(path, operation)
      const cancel = clock.after(milliseconds, () => run(operation, path, work), true)
      known.set(`${path}/${operation.id}`, { operation, due: clock.now() + milliseconds, cancel })
      return describe(`${path}/${operation.id}`, 202)
    },
    answer: (path) => describe(path, 200),
    reset() {
      for (const { cancel } of known.values()) cancel()
      known.clear()
      running.clear()
      count = 0
    },
  }
}
