import { resolve } from 'node:path'
import { nearestOrPrefix } from '../../core/errors/nearest.ts'
import {
  readConfig as readFileConfig,
  resolveConfig,
  type ResolvedConfig,
  resolvePaths,
  splitDocument,
  splitPaths,
} from '../../load/config/resolve-config.ts'
import { exists } from '../../loader/discover/discover.ts'
import type { Arguments } from '../arguments/parse-arguments.ts'
import type { Io } from '../io.ts'
import { commandNames } from '../arguments/commands.ts'
import { toConfig } from '../arguments/to-config.ts'
import { usageError } from '../arguments/usage-errors.ts'

/** Resolves the configuration below the options and paths of the command line. @throws MockError for an invalid option */
export async function readConfig(args: Arguments, io: Io): Promise<ResolvedConfig> {
  const cwd = io.cwd()
  const commandLineOptions = toConfig(args, io.env)
  await checkFirstWord(args, cwd)
  const { file, rest } = splitNamed(args)
  const config = await readFileConfig(cwd, file)
  const paths = await splitDocument(rest, cwd)
  return resolveConfig(
    { ...config, ...commandLineOptions, ...resolvePaths(commandLineOptions, cwd), ...paths },
    cwd,
  )
}

/** The configuration file that the command line names; undefined if it names none. */
export function namedConfigOf(args: Arguments): string | undefined {
  return splitNamed(args).file
}

function splitNamed({ values, paths }: Arguments): ReturnType<typeof splitPaths> {
  const named = values['config']
  return splitPaths(paths, typeof named === 'string' ? named : undefined)
}

/** Throws a usage error that suggests a command if the first path does not exist and resembles a command. */
async function checkFirstWord({ command, paths }: Arguments, cwd: string): Promise<void> {
  const [word] = paths
  if (command !== 'server' || word === undefined) return
  const near = nearestOrPrefix(word, commandNames)
  if (near === undefined || near === word || (await exists(resolve(cwd, word)))) return
  throw usageError(`Failed to run "${word}": there is no such command. Did you mean "${near}"?`)
}
