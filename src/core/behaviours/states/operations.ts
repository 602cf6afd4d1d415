import type { Answer } from '../../dialects/contract/dialect.ts'
import { MockError } from '../../errors/mock-error.ts'
import type { JsonRecord } from '../../json/json.ts'
import { andThen, type MaybePromise, tryOr } from '../../http/contract/messages.ts'
import { phraseOf } from '../../errors/status.ts'
import type { MockContext } from '../../http/contract/behaviour.ts'
import { memoryLimit, openStored } from '../shared/world-state.ts'

/** Actions that take time respond with 202 (RFC 9110 §15.3.3); `resume` creates the work of an earlier process. */
export function createOperations(
  world: Pick<MockContext, 'clock' | 'host' | 'stored'>,
  resume: (task: Task) => Work,
): Operations {
  const { clock } = world
  const limit = memoryLimit(world)
  /** The operations of an earlier process, and of this one for the next. */
  const known = openStored<StoredOperation>(world, 'operations')
  /** The running operations by the path that started them. */
  const running = new Map<string, Run>()
  let size = 0
  let count = Math.max(0, ...Array.from(known.values(), ({ operation }) => Number(operation.id)))
  for (const { operation, task, due = 0 } of known.values())
    if (task) schedule(operation, task, charactersOf(task), due, resume(task))

  const time = (): string => new Date(clock.now()).toISOString()

  function schedule(
    operation: Operation,
    { path }: Task,
    characters: number,
    due: number,
    work: Work,
  ): void {
    const wait = Math.max(0, due - clock.now())
    const cancel = clock.after(wait, () => run(operation, path, work), true)
    running.set(path, { operation, characters, cancel })
    size += characters
  }

  function run(operation: Operation, path: string, work: Work): void {
    const check = (): void => {
      if (running.get(path)?.operation !== operation)
        throw new MockError('Failed to finish: the mock was reset.')
    }
    const succeed = (): void => end(operation, path)
    const fail = (error: unknown): void => {
      const isExpected = error instanceof MockError
      if (!isExpected) world.host().onFailure(error, `finish "${path}" (${operation.id})`)
      const { status, message } = isExpected ? error : new MockError('Failed to finish.')
      operation.error = { title: phraseOf(status), status, detail: message }
      end(operation, path)
    }
    void tryOr(() => andThen(work(check), succeed), fail)
  }

  function end(operation: Operation, path: string): void {
    const current = running.get(path)
    if (current?.operation !== operation) return
    size -= current.characters
    operation.status = operation.error ? 'failed' : 'succeeded'
    operation.finishedAt = time()
    running.delete(path)
    // The entry moves behind the entries of operations that have finished before.
    known.delete(`${path}/${operation.id}`)
    known.set(`${path}/${operation.id}`, { operation })
    if (known.size - running.size <= maxFinished) return
    const [oldest = ''] = [...known].find(([, { task }]) => !task) ?? []
    known.delete(oldest)
  }

  function describe(path: string, status = 200, headers: Answer['headers'] = []): Answer {
    const { operation, task, due = 0 } = known.get(path) ?? {}
    if (!operation) {
      throw new MockError(`Failed to find "${path}": there is no such operation.`, {
        status: 404,
        code: 'NOT_FOUND',
      })
    }
    if (task) {
      const seconds = Math.max(1, Math.ceil((due - clock.now()) / 1000))
      headers.push(['Retry-After', String(seconds)])
    }
    return { status, headers, value: { ...operation } }
  }

  return {
    start(task, origin, milliseconds, work) {
      const { path } = task
      const current = running.get(path)?.operation
      if (current) {
        throw new MockError(
          `Failed to start "${path}": the action is already running. Please wait for "${path}/${current.id}".`,
          { status: 409, code: 'UNDER_WAY' },
        )
      }
      const characters = charactersOf(task)
      if (size + characters > limit) {
        throw new MockError(
          `Failed to start "${path}": running actions may keep ${limit} characters. Please wait, or send less.`,
          { status: 413, code: 'ACTIONS_FULL' },
        )
      }
      const operation: Operation = { id: String(++count), status: 'running', startedAt: time() }
      const due = clock.now() + milliseconds
      const progress = `${path}/${operation.id}`
      known.set(progress, { operation, task, due })
      schedule(operation, task, characters, due, work)
      return describe(progress, 202, [['Location', origin + progress]])
    },
    answer: (path) => describe(path),
    reset() {
      for (const { cancel } of running.values()) cancel()
      running.clear()
      known.clear()
      count = 0
      size = 0
    },
  }
}

/** The operations that run, and the last 1000 that have finished. */
export interface Operations {
  /** Responds with 202 and `Location`. @throws MockError 409 while the path runs, 413 if fields exceed the limit */
  start(task: Task, origin: string, milliseconds: number, work: Work): Answer
  /** Returns the progress of an operation. @throws MockError 404 */
  answer(path: string): Answer
  reset(): void
}

/** The action that an operation performs, as plain data. */
export interface Task {
  path: string
  name: string
  id: string
  action: string
  /** The values that the request gives for the `fields` of the action. */
  fields: JsonRecord
}

/** Does a task. Calls `check` before each write: `check` throws once a reset has cancelled the operation. */
export type Work = (check: () => void) => MaybePromise<unknown>

/** An operation as a later process finds it; only a running operation has `task` and `due`. */
export interface StoredOperation {
  operation: Operation
  task?: Task
  /** The time when the work begins. */
  due?: number
}

interface Operation {
  id: string
  status: 'running' | 'succeeded' | 'failed'
  startedAt: string
  finishedAt?: string
  error?: { title: string; status: number; detail: string }
}

interface Run {
  operation: Operation
  /** The size of the fields, as JSON. */
  characters: number
  cancel: () => void
}

/** The most finished operations that clients can read; a further operation replaces the oldest. */
const maxFinished = 1000

function charactersOf({ fields }: Task): number {
  return JSON.stringify(fields).length
}
