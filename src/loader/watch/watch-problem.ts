import { codeOf, toMessage } from '../../core/errors/error-details.ts'
import type { Diagnostic } from '../../core/fixtures/source.ts'
import { toLabel } from '../discover/discover.ts'
import type { WatchFailure } from './folder-watches.ts'

/**
 * Returns the warning that a folder cannot be watched, so that its changes are found a few seconds later, by
 * periodic scans.
 */
export function toWatchProblem({ folder, error }: WatchFailure, cwd: string): Diagnostic {
  const file = toLabel(folder, cwd)
  const { reason, advice } = REASONS[codeOf(error)] ?? {
    reason: toMessage(error),
    advice: 'Please use `--poll` if that is too late.',
  }
  return {
    severity: 'warning',
    file,
    message: `Failed to watch "${file}": ${reason}. Its changes are found a few seconds later.`,
    advice,
  }
}

const INOTIFY = 'sudo sysctl fs.inotify'

/** On Linux, `ENOSPC` and `EMFILE` are limits of inotify, see inotify(7). */
const REASONS: Record<string, { reason: string; advice: string }> = {
  ENOSPC: {
    reason: 'all watches of this user are in use',
    advice: `Please allow more watches, for example with \`${INOTIFY}.max_user_watches=524288\`.`,
  },
  EMFILE: {
    reason: 'too many files are open, or too many programs watch files',
    advice: `Please raise the limit with \`ulimit -n 65536\` or \`${INOTIFY}.max_user_instances=512\`.`,
  },
}
