import type { Diagnostic } from '../../core/fixtures/source.ts'
import { codeOf, toMessage } from '../../core/errors/error-details.ts'

/** Words what keeps a file from being written: why, what to do, and what holds until then. */
export function toPersistProblem(
  label: string,
  error: unknown,
  rest: string = '. Until then requests are answered from memory, and writing is tried again.',
): Diagnostic {
  const known = REASONS[codeOf(error)]
  return {
    severity: 'error',
    file: label,
    message: `Failed to write "${label}": ${known?.[0] ?? withoutPath(toMessage(error))}.`,
    advice: `Please ${known?.[1] ?? 'look after it'}${rest}`,
  }
}

/** What neither the file nor its journal has when everything ends is gone. */
export function toLossProblem(label: string, lost: number): Diagnostic {
  return {
    severity: 'error',
    file: label,
    message: `Failed to keep ${lost} ${lost === 1 ? 'write' : 'writes'} of requests to "${label}".`,
    advice: 'Please see what it said about the file before.',
  }
}

/** What two resources write to one file, each would take from the other. */
export function toTwinProblem(label: string, other: string): Diagnostic {
  return {
    severity: 'error',
    file: label,
    message: `Failed to persist "${label}": it is the same file as "${other}".`,
    advice: 'Please serve one of them, or start without --persist.',
  }
}

/** A program makes its data anew at every start, so that there is nothing to write them to. */
export function toModuleProblem(label: string): Diagnostic {
  return {
    severity: 'warning',
    file: label,
    message: `Failed to persist "${label}": what a program returns cannot be written back.`,
    advice: 'Please put the data into a .json file if it is to last.',
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
  ENOTDIR: ['a file stands where the folder .fixtura has to be', 'remove it'],
  EMFILE: ['too many files are open', 'raise the limit (`ulimit -n`)'],
}

/** Node names the call and the file, which differ from one attempt to the next. */
function withoutPath(message: string): string {
  return message.replace(/, \w+(?: '.*)?$/, '')
}
