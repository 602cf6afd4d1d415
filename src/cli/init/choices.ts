import { readdir } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { suggest } from '../../core/errors/nearest.ts'
import { isRecord } from '../../core/json/json.ts'
import type { Arguments } from '../arguments/parse-arguments.ts'
import { usageError } from '../arguments/usage-errors.ts'
import type { Io } from '../io.ts'

/** The framework, the test runners and the language for which `mock init` writes a set-up. */
export interface Choices {
  framework: Framework
  tests: readonly Runner[]
  isTypeScript: boolean
  /** Whether to write JSON Schemas of the fixtures for editors. */
  editor: boolean
  /** Whether to write the part of AGENTS.md about the mock. */
  agents: boolean
  /** Whether to install missing packages. */
  install: boolean
}

/** A framework with a set-up of its own; `none` for a mock server beside the application. */
export type Framework = keyof typeof frameworks
/** A test runner with a set-up of its own. */
export type Runner = keyof typeof runners

const frameworks = { vite: 'Vite', next: 'Next', none: 'Another, or none' }
const runners = { vitest: 'Vitest', jest: 'Jest', playwright: '@playwright/test' }

/** Guesses the choices from package.json and the files of a folder. */
export async function guessChoices(folder: string, manifest: unknown): Promise<Choices> {
  const packages = packagesOf(manifest)
  const names = await readdir(folder)
  const has = (name: string): boolean => packages.has(name)
  const hasOwnServer = ['astro', 'nuxt', '@react-router/dev', '@angular/core'].some(has)
  const isVite = has('vite') || names.some((name) => name.startsWith('vite.config.'))
  return {
    framework: has('next') ? 'next' : isVite && !hasOwnServer ? 'vite' : 'none',
    tests: keysOf(runners).filter((runner) => has(packageOf(runner))),
    isTypeScript: has('typescript') || names.includes('tsconfig.json'),
    editor: names.includes('.vscode') || names.includes('.idea'),
    agents: false,
    install: false,
  }
}

/** The names of the packages that a package.json depends on. */
export function packagesOf(manifest: unknown): ReadonlySet<string> {
  const { dependencies, devDependencies } = isRecord(manifest) ? manifest : {}
  return new Set([dependencies, devDependencies].flatMap((list) => Object.keys(list ?? {})))
}

/** The package of a test runner. */
export function packageOf(runner: Runner): string {
  return runner === 'playwright' ? runners[runner] : runner
}

/** Reads the choices of the command line. @throws MockError for an unknown framework or test runner */
export function readChoices({ values }: Arguments): Partial<Choices> {
  const { framework, tests, typescript } = values
  const flags = ['editor', 'agents', 'install'].filter((name) => name in values)
  return {
    ...(typeof framework === 'string' && { framework: toName('framework', framework, frameworks) }),
    ...(Array.isArray(tests) && { tests: toRunners(tests.join(',')) }),
    ...(typeof typescript === 'boolean' && { isTypeScript: typescript }),
    ...Object.fromEntries(flags.map((name) => [name, values[name]])),
  }
}

function toRunners(text: string): Runner[] {
  if (text === 'none') return []
  return text.split(',').map((name) => toName('tests', name.trim(), runners))
}

function toName<Name extends string>(
  option: string,
  name: string,
  known: Readonly<Record<Name, string>>,
): Name {
  const names = keysOf(known)
  const found = names.find((one) => one === name)
  if (found !== undefined) return found
  throw usageError(`Failed to read --${option}: "${name}" is not known. ${suggest(name, names)}`)
}

function keysOf<Key extends string>(table: Readonly<Record<Key, string>>): Key[] {
  return Object.keys(table) as Key[]
}

/** Asks on a terminal for the choices that the command line leaves open; undefined when the user cancels. */
export async function askChoices(
  io: Io,
  guess: Choices,
  given: Partial<Choices>,
): Promise<Choices | undefined> {
  const { confirm, isCancel, multiselect, select } = await import('@clack/prompts')
  // A process has the whole streams, of which `Io` names the members that commands use themselves.
  const streams = { input: io.stdin as Readable & Io['stdin'], output: io.stdout as Writable }
  const optionsOf = <Name extends string>(
    table: Readonly<Record<Name, string>>,
  ): { value: Name; label: string }[] =>
    keysOf(table).map((value) => ({ value, label: table[value] }))
  const questions = {
    framework: () =>
      select<string>({
        message: 'Which framework does the application use?',
        options: optionsOf(frameworks),
        initialValue: guess.framework,
        ...streams,
      }),
    tests: () =>
      multiselect<string>({
        message: 'Which tests shall have the mock? (Space selects)',
        options: optionsOf(runners),
        initialValues: [...guess.tests],
        required: false,
        ...streams,
      }),
    isTypeScript: () =>
      confirm({ message: 'TypeScript?', initialValue: guess.isTypeScript, ...streams }),
    editor: () =>
      confirm({
        message: 'Complete and check fixtures in VS Code and JetBrains IDEs?',
        ...streams,
      }),
    agents: () =>
      confirm({ message: 'Tell coding agents about the mock in AGENTS.md?', ...streams }),
    install: () => confirm({ message: 'Install the packages that are missing?', ...streams }),
  }
  const answers: Record<string, unknown> = {}
  for (const [name, ask] of Object.entries(questions)) {
    if (name in given) continue
    const answer: unknown = await ask()
    if (isCancel(answer)) return undefined
    answers[name] = answer
  }
  return { ...guess, ...given, ...answers }
}
