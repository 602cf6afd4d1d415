import { type Profiler, Session } from 'node:inspector'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setFlagsFromString } from 'node:v8'

/**
 * Counts the steps of the code in `src` during some work: how often functions, loop bodies and branches
 * are entered. A busy machine does not change the count. Steps inside the engine, such as those of a
 * regular expression, are not counted.
 */
export async function countSteps(work: () => unknown): Promise<number> {
  takeScripts()
  await work()
  const ranges = takeScripts().flatMap(({ functions }) => functions.flatMap((one) => one.ranges))
  return ranges.reduce((sum, { count }) => sum + count, 0)
}

/** The most that the steps of linear work grow by when its size doubles; quadratic work grows by 4. */
export const linear = 2.2

/**
 * How many times the steps grow when the size of some work doubles: 2 where the steps are linear in the
 * size, 4 where they are quadratic, 1 where a limit ends the work. Preparing the work is not counted.
 */
export async function growthOf(
  size: number,
  prepare: (size: number) => (() => unknown) | Promise<() => unknown>,
): Promise<number> {
  const once = await countSteps(await prepare(size))
  const twice = await countSteps(await prepare(size * 2))
  return twice / once
}

const source = pathToFileURL(join(import.meta.dirname, '../src/')).href
const session = new Session()

// Optimized code does not count the calls that it inlines.
setFlagsFromString('--no-opt')
setFlagsFromString('--no-maglev')
session.connect()
session.post('Profiler.enable')
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
// V8 adds the counters of loops and branches to a function when it compiles the function.
if (takeScripts().length > 0) {
  throw new Error('Failed to count steps: src is loaded already. Please import steps.ts first.')
}

/** The counts of the modules in `src` since the last call. */
function takeScripts(): Profiler.ScriptCoverage[] {
  let scripts: Profiler.ScriptCoverage[] = []
  // The session calls back before `post` returns.
  session.post('Profiler.takePreciseCoverage', (_, { result }) => {
    scripts = result.filter(({ url }) => url.startsWith(source))
  })
  return scripts
}
