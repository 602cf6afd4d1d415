import type { Diagnostic } from '../../core/fixtures/source.ts'
import { codeOf, toMessage } from '../../core/errors/error-details.ts'

/**
 * Creates the diagnostic for a fixture file that could not be written, from the error of the file system.
 * `rest` is the end of the advice, which states the consequences.
 */
export function toPersistProblem(
  label: string,
  error: unknown,
  rest: string = '. Until then, requests are answered from memory, and the write is retried.',
): Diagnostic {
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

/** The diagnostic of writes that are neither in the file nor in its journal when the process ends. */
export function toLossProblem(label: string, lost: number): Diagnostic {
  return {
    severity: 'error',
    file: label,
    message: `Failed to keep ${lost} ${lost === 1 ? 'write' : 'writes'} of requests to "${label}".`,
    advice: 'Please see the earlier messages about the file.',
  }
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
    message: `Failed to persist "${label}": the data that a module exports cannot be written back.`,
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
  EPERM: ['it is protected, or another program has it open', 'allow writing it'],
  EBUSY: ['another program has it open', 'close it there'],
  ENOTDIR: ['a file has the path of the folder .fixtura', 'remove the file'],
  EMFILE: ['too many files are open', 'raise the limit (`ulimit -n`)'],
}

/** The message of Node without the system call and the path, which differ between attempts. */
function withoutPath(message: string): string {
  return message.replace(/, \w+(?: '.*)?$/, '')
}
