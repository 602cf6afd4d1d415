// Runs in the thread that `startLearning` starts.
import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { toMessage } from '../../core/errors/error-details.ts'
import { createLearning, type LearningNews, type LearningOptions } from './learning.ts'
import type { Closed, LearningOrder } from './learning-thread.ts'

// The requests of the proxy come first. Other systems have no priorities of threads.
if (process.platform === 'linux') setPriority(10)

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
const send = (message: LearningNews | Closed): void => parentPort?.postMessage(message)
const learning = createLearning(workerData as LearningOptions, send)

parentPort?.on('message', (order: LearningOrder) => {
  if (order.kind === 'exchange') learning.add(order.exchange)
  else {
    learning.close().then(
      (result) => send({ kind: 'closed', result }),
      (error: unknown) => send({ kind: 'failed', message: toMessage(error) }),
    )
  }
})
