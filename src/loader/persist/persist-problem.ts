import { type Conflict, pathOf } from '../../core/fixtures/fixtures.ts'
import type { Diagnostic } from '../../core/fixtures/source.ts'
import { codeOf, toMessage } from '../../core/errors/error-details.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import type { Step } from '../../core/fixtures/record-difference.ts'
import type { Unsaved } from './fixture-writer.ts'
import { toLabel } from '../discover/discover.ts'
import { readReasonOf } from '../discover/path-problem.ts'
import { countOf } from '../../core/text/count-of.ts'

/** The problem of writing a file, from the error of the file system; `rest` ends the advice. */
export function toPersistProblem(
  label: string,
  error: unknown,
  rest: string = '. Until then, requests are answered from memory, and the write is retried.',
): Diagnostic {
  if (error instanceof MockError) return { severity: 'error', file: label, message: error.message }
  const [reason, advice] = REASONS[codeOf(error)] ?? [
    withoutPath(toMessage(error)),
    'correct the cause',
  ]
  return {
    severity: 'error',
    file: label,
    message: `Failed to write "${label}": ${reason}.`,
    advice: `Please ${advice}${rest}`,
  }
}

/** The diagnostic of a journal, or of a folder with journals, that cannot be read. */
export function toUnreadableProblem(label: string, error: unknown): Diagnostic {
  const reason = readReasonOf(error) ?? withoutPath(toMessage(error))
  return {
    severity: 'error',
    file: label,
    message: `Failed to read "${label}": ${reason}.`,
    advice:
      'It holds writes of an earlier run. Please make it readable and start again with --persist, or delete it to give up these writes.',
  }
}

/** The diagnostic of a journal whose writes are not in its fixture file; `file` is undefined if that file was removed. */
export function toUnsavedProblem(
  label: string,
  writes: number,
  file: string | undefined,
): Diagnostic {
  const reason =
    file === undefined ? 'of a fixture file that was removed' : `that "${file}" does not have`
  return {
    severity: 'warning',
    file: label,
    message: `Failed to load all writes: "${label}" holds ${countOf(writes, 'write')} ${reason}.`,
    advice:
      file === undefined
        ? 'Please restore the fixture file, or delete the journal.'
        : 'Please start once with --persist to write them, or delete the journal.',
  }
}

/** The diagnostic of a write in a journal to a record that was edited by hand since. */
export function toEditProblem(label: string, conflict: Conflict): Diagnostic {
  return {
    severity: 'warning',
    file: label,
    message: `Failed to keep the change of a request to "${pathOf(conflict)}": "${label}" was edited in the meantime.`,
    advice: 'The version in the file is used.',
  }
}

/** The problem of records that a file lacks when the process ends; `journal` is the path of its journal. */
export function toUnwrittenProblem(
  label: string,
  { writes, place }: Unsaved,
  journal: string,
  cwd: string,
): Diagnostic {
  const journalLabel = toLabel(journal, cwd)
  const advice =
    place === journal
      ? `They are in "${journalLabel}": the next start with --persist writes them.`
      : place === undefined
        ? `They are lost, because no journal could be written.`
        : `They are in "${place}". Please correct the cause, move this file to "${journalLabel}" and start again with --persist.`
  return {
    severity: 'error',
    file: label,
    message: `Failed to write ${countOf(writes.length, 'change')} of requests to "${label}": ${listRecords(writes)}.`,
    advice,
  }
}

/** At most ten paths of records. */
function listRecords(records: readonly Step[]): string {
  const paths = records.slice(0, 10).map(({ collection, id = '' }) => pathOf({ collection, id }))
  const rest = records.length - paths.length
  return rest > 0 ? `${paths.join(', ')} and ${rest} more` : paths.join(', ')
}

/** The diagnostic of a file that is served under two paths, whose writes would overwrite each other. */
export function toDuplicateProblem(label: string, other: string): Diagnostic {
  return {
    severity: 'error',
    file: label,
    message: `Failed to persist "${label}": it is the same file as "${other}".`,
    advice: 'Please serve one of them, or start without --persist.',
  }
}

/** The diagnostic of a module, which creates its data at every start and cannot be written. */
export function toModuleProblem(label: string): Diagnostic {
  return {
    severity: 'warning',
    file: label,
    message: `Failed to persist "${label}": the data of a program cannot be written back.`,
    advice: 'Please put the data into a .json file to persist it.',
  }
}

const REASONS: Record<string, [reason: string, advice: string]> = {
  ENOSPC: ['the disk is full', 'make room'],
  EDQUOT: ['the quota of the disk is used up', 'make room'],
  EROFS: ['the disk is read-only', 'mount it writable'],
  EACCES: [
    'its folder is read-only',
    'allow writing into the folder, for example with `chmod u+w`',
  ],
  FILE_READ_ONLY: ['it is read-only', 'allow writing it, for example with `chmod u+w`'],
  EPERM: ['it is protected, or another program has it open', 'allow writing it'],
  EBUSY: ['another program has it open', 'close it there'],
  ENOTDIR: ['a file has the path of the folder .fixtura', 'remove the file'],
  EEXIST: ['a journal of another run has the path of its journal', 'start again with --persist'],
  EMFILE: ['too many files are open', 'raise the limit (`ulimit -n`)'],
}

/** The message of Node without the system call and the path, which differ between attempts. */
function withoutPath(message: string): string {
  return message.replace(/, \w+(?: '.*)?$/, '')
}

/** Reports a problem of a file once, until the file can be written again. */
export function createProblemReporter(report: (news: Report) => void): ProblemReporter {
  /** The last problem of each file that cannot be written, by label. */
  const problems = new Map<string, string>()
  return {
    result(label, error) {
      if (error === undefined) {
        if (problems.delete(label)) report({ reported: [], resolved: [label] })
        return
      }
      const problem = toPersistProblem(label, error)
      // The loss of the lock concerns all files.
      const key = error instanceof MockError ? '' : label
      if (problems.get(key) === problem.message) return
      problems.set(key, problem.message)
      report({ reported: [problem], resolved: [] })
    },
  }
}

/** Receives the results of writing fixture files. */
export interface ProblemReporter {
  /** Reports the result of writing the file with a label: an error, or undefined for success. */
  result(label: string, error: unknown): void
}

/** The new problems with writing fixture files, and the files that can be written again. */
export interface Report {
  /** New problems. A problem is reported once. */
  reported: Diagnostic[]
  /** Labels of files that can be written again. */
  resolved: string[]
}
