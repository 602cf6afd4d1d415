import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { codeOf, toMessage } from '../../core/errors/error-details.ts'
import { nearest } from '../../core/errors/nearest.ts'
import type { Diagnostic } from '../../core/fixtures/source.ts'

/** Turns an error of reading into a diagnostic, which advises the most similar name in the folder, else `missing`. */
export async function findPathProblem(
  path: string,
  label: string,
  error: unknown,
  missing = 'Please check the path.',
): Promise<Diagnostic> {
  const [, scheme, address] = /^(https?):\/+(.+)/.exec(label) ?? []
  if (address !== undefined) {
    // Normalizing the path has removed one of the two slashes.
    const url = `${scheme}://${address}`
    return {
      severity: 'error',
      file: url,
      message: `Failed to read "${url}": URLs are not supported.`,
      advice: `Please download it first: \`curl -o db.json ${url}\`.`,
    }
  }
  const code = codeOf(error)
  const { reason, advice } =
    code === 'ENOENT'
      ? await explainMissing(path, label, missing)
      : (REASONS[code] ?? { reason: toMessage(error), advice: 'Please check the path.' })
  return {
    severity: 'error',
    file: label,
    message: `Failed to read "${label}": ${reason}.`,
    advice,
  }
}

/** The reason why a file cannot be read, and advice. */
interface Explanation {
  reason: string
  advice: string
}

async function explainMissing(path: string, label: string, advice: string): Promise<Explanation> {
  const name = basename(path)
  const names = await readdir(dirname(path)).catch((): string[] => [])
  if (names.includes(name)) {
    return { reason: 'the symbolic link is broken', advice: 'Please remove or repair it.' }
  }
  const near = nearest(name, names)
  return {
    reason: 'there is no such file or folder',
    advice: near === undefined ? advice : `Did you mean "${join(dirname(label), near)}"?`,
  }
}

const REASONS: Record<string, Explanation> = {
  EACCES: {
    reason: 'permission denied',
    advice: 'Please allow reading it, for example with `chmod u+r`.',
  },
  EPERM: { reason: 'permission denied', advice: 'Please allow reading it.' },
  EBUSY: { reason: 'another program has it open', advice: 'Please close it there.' },
  ENOTDIR: { reason: 'a part of the path is a file', advice: 'Please check the path.' },
  EISDIR: { reason: 'it is a folder', advice: 'Please name a file.' },
  ELOOP: {
    reason: 'its symbolic links form a loop',
    advice: 'Please remove or repair the link.',
  },
  ERR_STRING_TOO_LONG: {
    reason: 'it is larger than 512 MiB, the maximum length of a string in Node',
    advice: 'Please serve fewer records, or split it into several collections.',
  },
  EMFILE: { reason: 'too many files are open', advice: 'Please raise the limit (`ulimit -n`).' },
}

/** The reason why a file cannot be read, from the error of the file system; undefined for an uncommon error. */
export function readReasonOf(error: unknown): string | undefined {
  return REASONS[codeOf(error)]?.reason
}
