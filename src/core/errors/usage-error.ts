/**
 * Runs a call of `mock.db` and marks its error as a mistake of the code that has called. In a request, such an error
 * is a 500 that names the place of the mistake, although its own status is 400 or 404.
 */
export function markUsage<T>(call: () => T): T {
  try {
    return call()
  } catch (error) {
    if (error instanceof Error) {
      usageErrors.add(error)
      // V8 keeps ten frames, of which a deep check of a filter leaves none for the caller.
      captureStackTrace?.(error, markUsage)
    }
    throw error
  }
}

/** Whether an error is a mistake of the code that has called `mock.db`. */
export function isUsageError(error: Error): boolean {
  return usageErrors.has(error)
}

const { captureStackTrace } = Error as {
  captureStackTrace?: (error: Error, above: unknown) => void
}

const usageErrors = new WeakSet<Error>()

/**
 * Returns the file, line and column of the code that has thrown an error or made the failing call: of the first frame
 * outside of this package and of other dependencies. Undefined if the stack has no such frame.
 */
export function placeOf(error: unknown): string | undefined {
  const [here = ''] = framesOf(new Error('here'))
  const ownFolder = /^.*\/(?:src|dist)\//.exec(here)?.[0]
  const isOwn = (frame: string): boolean =>
    frame.includes('/node_modules/') || (ownFolder !== undefined && frame.startsWith(ownFolder))
  return framesOf(error).find((frame) => !isOwn(frame))
}

/** The places of a stack, in the formats of V8 (`at f (place)`) and of Firefox and Safari (`f@place`). */
function framesOf(error: unknown): string[] {
  const { stack = '', message = '' } = error instanceof Error ? error : {}
  return withoutMessage(stack, message)
    .split('\n')
    .flatMap((line) => {
      const place = /(?:\(|@|\bat (?:async )?)((?:[a-z]+:\/\/|\/|[A-Z]:\\)[^()]*:\d+:\d+)\)?$/.exec(
        line,
      )?.[1]
      return place === undefined
        ? []
        : [place.replace(/^file:\/\/|\?[^:]*(?=:\d+:\d+$)/g, '').replaceAll('\\', '/')]
    })
}

/** Leaves out the message with which V8 begins a stack: a message can be long, and have lines that look like frames. */
function withoutMessage(stack: string, message: string): string {
  const start = stack.indexOf(`: ${message}`)
  const isFirst = start !== -1 && !stack.slice(0, start).includes('\n')
  return isFirst ? stack.slice(start + 2 + message.length) : stack
}
