import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import {
  adviseUnsupported,
  describeUnsupported,
  findUnsupported,
  isThenable,
} from '../../core/fixtures/unsupported-value.ts'
import { isRecord, type Json, tagOf, parseJson } from '../../core/json/json.ts'
import type { Position } from '../text/code-frame.ts'
import { codeOf, toMessage } from '../../core/errors/error-details.ts'

/**
 * Imports the data that a `.js`, `.mjs` or `.cjs` fixture exports. An exported function, which may be async,
 * is called for the data, and promises in the data are awaited. Node caches modules by URL: a new `version`
 * imports the file again.
 */
export async function importData(path: string, version: string): Promise<Imported> {
  const imported = await importModule(path, version)
  if ('problem' in imported) return imported
  try {
    for (let { value } = imported; ;) {
      // Serialized first, which finds a circular reference: the searches would not end.
      const text = JSON.stringify(value) as string | undefined
      const promises = findPromises(value)
      if (promises.length === 0) return toData(value, text)
      const values = (await settle(Promise.all(promises), path)) as unknown[]
      value = replaceAll(value, new Map(promises.map((promise, at) => [promise, values[at]])))
    }
  } catch (error) {
    return toProblem(error)
  }
}

/**
 * Imports the value that a module exports, which need not be JSON; an exported function is called for the
 * value, as {@link importData} does, and a promise is awaited. `load` imports modules that Node cannot import.
 */
export function importModule(
  path: string,
  version: string,
  load?: Load,
): Promise<Imported<unknown>> {
  return importExport(path, version, load, (exported) =>
    settle(typeof exported === 'function' ? (exported as () => unknown)() : exported, path),
  )
}

/** Imports the default export of a module, or else its named exports; `convert` makes the value, and may throw. */
export async function importExport(
  path: string,
  version: string,
  load: Load = (url) => import(url.href),
  convert: (exported: unknown) => unknown = (exported) => exported,
): Promise<Imported<unknown>> {
  const url = pathToFileURL(path)
  url.searchParams.set('v', version)
  try {
    // The cache of CommonJS modules ignores the query of the URL.
    delete createRequire(import.meta.url).cache[path]
    const module = (await settle(load(url), path)) as Record<string, unknown>
    const exported = 'default' in module ? module['default'] : toNamed(module)
    return { value: await convert(exported) }
  } catch (error) {
    const isSyntax = error instanceof SyntaxError
    const position =
      findPosition(error, url.href) ?? (isSyntax ? await checkSyntax(path) : undefined)
    const problem = toProblem(error, position)
    if (!isModuleInCommonJs(toMessage(error))) return problem
    const extension = path.endsWith('ts') ? '.mts' : '.mjs'
    const advice = `Please rename it to ${extension}, or write "type": "module" into package.json.`
    return { ...problem, advice }
  }
}

/** The result of importing a module: the exported value, or the reason why the import failed. */
export type Imported<T = Json> = { value: T; warnings?: undefined } | ImportProblem

/** Imports a module by its URL. */
export type Load = (url: URL) => Promise<unknown>

/** Why the import of a module failed, and the position in the module if it is known. */
export interface ImportProblem {
  problem: string
  advice: string
  position?: Position
}

function toData(value: unknown, text: string | undefined): Imported {
  const unsupported = value === undefined ? undefined : findUnsupported(value)
  if (unsupported) {
    const problem = describeUnsupported(unsupported, 'its data')
    return { problem, advice: `${adviseUnsupported(unsupported)}.` }
  }
  if (text !== undefined) return { value: parseJson(text) }
  return {
    problem: 'it exports no data',
    advice: 'Please export data, or a function that returns it.',
  }
}

function findPromises(value: unknown): PromiseLike<unknown>[] {
  if (isThenable(value)) return [value]
  if (Array.isArray(value)) return value.flatMap(findPromises)
  return isRecord(value) ? Object.values(value).flatMap(findPromises) : []
}

/** A copy of a value in which other values replace its promises. */
function replaceAll(value: unknown, replacements: ReadonlyMap<unknown, unknown>): unknown {
  if (replacements.has(value)) return replacements.get(value)
  if (Array.isArray(value)) return value.map((one) => replaceAll(one, replacements))
  if (!isRecord(value) || tagOf(value) !== 'Object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, replaceAll(one, replacements)]),
  )
}

/** The named exports of a module as data, without its functions; undefined for no data. */
function toNamed(module: Record<string, unknown>): Record<string, unknown> | undefined {
  const data = Object.entries(module).filter(([, value]) => typeof value !== 'function')
  return data.length > 0 ? Object.fromEntries(data) : undefined
}

/** Rejects the promises that are awaited while the event loop drains. */
const rejections = new Set<() => void>()

const onDrained = (): void => rejections.forEach((reject) => reject())

/** The time after which a promise that has not settled is reported, in milliseconds. */
const WARNING_DELAY_MS = 10_000

/** Awaits a promise of a module; warns after ten seconds, and throws if the event loop drains first. */
async function settle(value: unknown, path: string): Promise<unknown> {
  let rejectDrained = (): void => undefined
  const drained = new Promise((_, reject) => {
    rejectDrained = () => reject(new Error('It awaits a promise that never settles'))
  })
  const notice = setTimeout(() => {
    const seconds = WARNING_DELAY_MS / 1000
    process.emitWarning(`Still waiting for a promise in "${path}" after ${seconds} seconds.`)
  }, WARNING_DELAY_MS)
  // Jest's jsdom has timers without `unref`.
  ;(notice as Partial<typeof notice>).unref?.()
  if (rejections.size === 0) process.on('beforeExit', onDrained)
  rejections.add(rejectDrained)
  try {
    return await Promise.race([value, drained])
  } finally {
    clearTimeout(notice)
    rejections.delete(rejectDrained)
    if (rejections.size === 0) process.off('beforeExit', onDrained)
  }
}

function toProblem(error: unknown, position?: Position): ImportProblem {
  const message = toMessage(error).replaceAll(/\s*\n\s*/g, ' ')
  const missing = missingPackage(error)
  if (missing !== undefined) {
    const problem = `it imports the package "${missing}", which is not installed`
    return { problem, advice: `Please run "npm install --save-dev ${missing}".` }
  }
  const isElsewhere = error instanceof SyntaxError && !position
  const advice = `Please correct ${isElsewhere ? 'what it imports' : 'it'}.`
  return { problem: `it throws "${message}"`, advice, ...(position ? { position } : {}) }
}

/** The name of the package that an import did not find, as Node reports it for ES modules and for CommonJS. */
function missingPackage(error: unknown): string | undefined {
  if (!/^(?:ERR_)?MODULE_NOT_FOUND$/.test(codeOf(error))) return undefined
  const [, path = ''] = /^Cannot find (?:package|module) '([^']+)'/.exec(toMessage(error)) ?? []
  return /^(?:@[\w.-]+\/)?\w[\w.-]*(?=\/|$)/.exec(path)?.[0]
}

/** Whether a message of Node is about ES module syntax in a file that its package declares as CommonJS. */
export function isModuleInCommonJs(message: string): boolean {
  return /^(?:Cannot use import statement outside a module|Unexpected token 'export')$/.test(
    message,
  )
}

function findPosition(error: unknown, url: string): Position | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const rest = stack.split(`${url}:`)[1]
  const match = /^(\d+):(\d+)/.exec(rest ?? '')
  return match ? { line: Number(match[1]), column: Number(match[2]) } : undefined
}

/** The position of a syntax error. Only `node --check` prints the position; the error has none. */
async function checkSyntax(path: string): Promise<Position | undefined> {
  // On Node 20 and 22, `--check` reports no error in a .js file that only its syntax makes an ES module.
  // The text is therefore checked again with --input-type.
  const asModule = ['--check', '--input-type=module', '-']
  const text = await readFile(path, 'utf8').catch(() => '')
  return (await runChecker(['--check', path], '')) ?? runChecker(asModule, text)
}

function runChecker(args: string[], input: string): Promise<Position | undefined> {
  // Loaded here, because only syntax errors need the module.
  const { execFile } = process.getBuiltinModule('node:child_process')
  return new Promise((done) => {
    const checker = execFile(process.execPath, args, { timeout: 5000 }, (_error, _out, text) => {
      // There is no marker under the line if the file ends too early.
      const match = /^.*:(\d+)\r?\n(?:.*\r?\n([ \t]*)\^)?/.exec(text)
      done(match ? { line: Number(match[1]), column: (match[2]?.length ?? 0) + 1 } : undefined)
    })
    // Writing fails if the checker has exited already.
    checker.stdin?.on('error', () => undefined).end(input)
  })
}
