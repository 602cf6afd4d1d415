import { pathOf } from '../../core/fixtures/fixtures.ts'
import type { Diagnostic } from '../../core/fixtures/source.ts'
import { filesOf } from '../../load/load-mock.ts'
import { watch, type WatchedChange } from '../../load/watch.ts'
import { describePassedOver } from '../../loader/discover/kinds.ts'
import { listenToKeys } from './keys.ts'
import { openInBrowser } from './open.ts'
import { addressesOf, homeOf } from '../output/addresses.ts'
import { describeServer } from '../output/banner.ts'
import { describeProblem } from '../output/problems.ts'
import type { Paint } from '../output/paint.ts'
import { toPrintable } from '../output/printable.ts'
import type { Running } from './session.ts'
import { versionOf } from '../version.ts'

/**
 * Does everything that can wait for the first answer: the banner, the keys, the watch.
 * Returns the end of it.
 */
export async function attend(running: Running): Promise<() => Promise<void>> {
  const { mock, config, serving, terminal, say, complain } = running
  const { paint, errorPaint } = terminal
  const keys = await listenToKeys(running)
  const { token } = serving
  const { routes, base } = mock
  const urls = addressesOf(serving.url)
  const version = versionOf()
  say(describeServer({ urls, version, token, routes, base, keys: keys.known }, terminal))
  const passedOver = filesOf(mock)?.follower.scanner.current().passedOver ?? []
  if (passedOver.length > 0) say(`  ${toPrintable(describePassedOver(passedOver))}\n`)
  if (config.open) void openInBrowser(homeOf(serving.url, token), complain)
  const watching =
    config.watch === false
      ? undefined
      : await watch(mock, undefined, {
          onProblem: (problem: Diagnostic) => complain(describeProblem(problem, errorPaint)),
          onChange: (change) => describeChange(change, paint).forEach(say),
        })
  return async () => {
    keys.close()
    await watching?.close()
  }
}

/** What names and ids hold is data, and may not steer the terminal. */
function describeChange(change: WatchedChange, { green, yellow }: Paint): string[] {
  const { changed, removed, resolved, conflicts, rules } = change
  const list = (names: readonly string[]): string => names.map(toPrintable).join(', ')
  return [
    ...resolved.map((file) => green(`Mended: ${toPrintable(file)} is served again.`)),
    ...(changed.length > 0 ? [green(`Reloaded: ${list(changed)}`)] : []),
    ...(rules.length > 0 ? [green(`Reloaded: ${list(rules)}`)] : []),
    ...(removed.length > 0 ? [yellow(`Removed: ${list(removed)}`)] : []),
    ...conflicts.map((one) =>
      yellow(`The file's ${toPrintable(pathOf(one))} replaces what requests had changed.`),
    ),
  ]
}
