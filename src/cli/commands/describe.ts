import { resolve } from 'node:path'
import { MockError } from '../../core/errors/mock-error.ts'
import {
  createTypesText,
  type DocumentFormat,
  type GeneratedText,
  toOpenApiText,
  writeGenerated,
} from '../../load/generated-file.ts'
import type { ResolvedConfig } from '../../load/config/resolve-config.ts'
import { type Loaded, loadFrom } from '../../load/load-mock.ts'
import { toLabel } from '../../loader/discover/discover.ts'
import type { Arguments } from '../arguments/parse-arguments.ts'
import { toPrintable } from '../output/printable.ts'
import { describeProblem } from '../output/problems.ts'
import { usageError } from '../arguments/usage-errors.ts'
import type { Terminal } from '../output/terminal.ts'
import { readConfig } from './config.ts'

/** `mock types`: prints TypeScript types of the fixtures, or writes them to the file that `--out` names, or for editors. */
export function runTypes(args: Arguments, terminal: Terminal): Promise<number> {
  if (args.values['editor'] === true) return runEditor(args, terminal)
  return runGenerate(args, terminal, (mock) => createTypesText(mock)())
}

/** `mock types --editor`: writes the JSON Schemas by which editors complete and check the fixture files. */
async function runEditor(args: Arguments, terminal: Terminal): Promise<number> {
  const { createEditorFiles } = await import('../../load/editor-files.ts')
  return withMock(args, terminal, async (mock, config) => {
    const written = await createEditorFiles(mock, config)()
    for (const name of written) reportFile(terminal, name, true)
    if (written.length === 0) terminal.print('The files of editors are up to date.')
  })
}

/** `mock openapi`: prints the OpenAPI document of the mock, or writes it to the file that `--out` names. */
export function runOpenApi(args: Arguments, terminal: Terminal): Promise<number> {
  const plain = args.values['plain'] === true
  const given = args.values['format']
  const isTerminal = terminal.io.stdout.isTTY === true
  const formatOf = (path: string): DocumentFormat => {
    if (given !== undefined) return toFormat(String(given))
    const isYaml = path === '' ? isTerminal : /\.ya?ml$/i.test(path)
    return isYaml ? 'yaml' : 'json'
  }
  return runGenerate(args, terminal, (mock, path) => toOpenApiText(mock, formatOf(path), { plain }))
}

/** Parses `--format`. @throws MockError for any other text */
function toFormat(text: string): DocumentFormat {
  if (text === 'json' || text === 'yaml') return text
  throw usageError(`"${text}" is not a format. Please write --format yaml or --format json.`)
}

/** Prints the text that is generated from a mock, or writes it to the file that `--out` names, if it has changed. */
async function runGenerate(
  args: Arguments,
  terminal: Terminal,
  generate: Generate,
): Promise<number> {
  const { io, print } = terminal
  const { out } = args.values
  return withMock(args, terminal, async (mock) => {
    if (typeof out !== 'string') {
      const { text } = await generate(mock, '')
      return print(text.trimEnd())
    }
    const path = resolve(io.cwd(), out)
    const isWritten = await writeGenerated(path, await generate(mock, path), io.cwd())
    reportFile(terminal, toLabel(path, io.cwd()), isWritten)
  })
}

function reportFile({ print, paint }: Terminal, name: string, isWritten: boolean): void {
  print(`${isWritten ? paint.green('wrote') : paint.dim('kept ')}  ${toPrintable(name)}`)
}

/** Loads the mock, whose problems are printed, and calls a function with it. Returns the exit code. */
async function withMock(
  args: Arguments,
  terminal: Terminal,
  run: (mock: LoadedMock, config: ResolvedConfig) => Promise<void>,
): Promise<number> {
  const { io, printError, errorPaint } = terminal
  // Without the lock that `persist` takes, the command also runs beside a server that persists.
  const config = { ...(await readConfig(args, io)), persist: false }
  try {
    const { mock } = await loadFrom<Record<string, unknown>>(config, {
      onProblem: (problem) => printError(describeProblem(problem, errorPaint)),
    })
    await run(mock, config)
    return 0
  } catch (error) {
    if (error instanceof MockError && error.code === 'FIXTURES_INVALID') return 1
    throw error
  }
}

/** Generates a text from a mock, for the file at `path`; an empty `path` means standard output. */
type Generate = (mock: LoadedMock, path: string) => GeneratedText | Promise<GeneratedText>

type LoadedMock = Loaded<Record<string, unknown>>['mock']
