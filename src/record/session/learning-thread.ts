import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { toMessage } from '../../core/errors/error-details.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import {
  type CapturedExchange,
  createLearning,
  type Learning,
  type LearningNews,
  type LearningOptions,
  type LearningResult,
} from './learning.ts'

/**
 * Learns in a thread of its own, so that no request waits meanwhile. The thread does not keep the process
 * running once everything is written. Where the package has no file for the thread, as in its source, this
 * thread learns.
 */
export function startLearning(
  options: LearningOptions,
  report: (news: LearningNews) => void,
): Learning {
  if (!existsSync(workerFile)) return createLearning(options, report)
  const worker = new Worker(workerFile, { workerData: options })
  let last = 0
  let failure: MockError | undefined
  let onClosed: ((message: Closed) => void) | undefined

  worker.unref()
  worker.on('message', (message: LearningNews | Closed) => {
    if (message.kind === 'closed' || message.kind === 'failed') onClosed?.(message)
    else {
      if (message.kind === 'idle' && message.number === last) worker.unref()
      report(message)
    }
  })
  worker.on('error', (error) => stop(toMessage(error)))
  worker.on('exit', () => stop('its thread ended'))

  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  const send = (order: LearningOrder): void => worker.postMessage(order)

  function stop(reason: string): void {
    if (failure) return
    const message = `Failed to go on with the recording: ${reason}. The files have what was learned before. Please record again.`
    failure = new MockError(message)
    if (onClosed) onClosed({ kind: 'failed', message })
    else report({ kind: 'problem', message })
  }

  return {
    add(exchange) {
      last = exchange.number
      worker.ref()
      send({ kind: 'exchange', exchange })
    },
    async close() {
      if (failure) throw failure
      worker.ref()
      const closed = await new Promise<Closed>((resolve) => {
        onClosed = resolve
        send({ kind: 'close' })
      })
      failure ??= new MockError('The recording is closed.')
      await worker.terminate()
      if (closed.kind === 'failed') throw new MockError(closed.message)
      return closed.result
    },
  }
}

/** The file of the built package that runs in the thread; all parts of the package lie beside its folder. */
const workerFile = new URL('../command/learning-worker.js', import.meta.url)

/** A message to the thread. */
export type LearningOrder = { kind: 'exchange'; exchange: CapturedExchange } | { kind: 'close' }

/** The last message of the thread. */
export type Closed =
  | { kind: 'closed'; result: LearningResult }
  | { kind: 'failed'; message: string }
