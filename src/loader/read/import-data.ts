import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { Json } from '../../core/json/json.ts'
import type { Position } from '../text/code-frame.ts'
import { toMessage } from '../../core/errors/error-details.ts'

/**
 * The result of importing a `.js` or `.mjs` fixture or a configuration file: the value that the module
 * exports, or the reason why the import failed.
 */
export type Imported<T = Json> = { value: T } | ImportProblem

/** Why the import of a module failed, and the position in the module if it is known. */
export interface ImportProblem {
  problem: string
  advice: string
  position?: Position
}

/**
 * Imports the data that a `.js` or `.mjs` file exports. An exported function, which may be async, is
 * called for the data. Node caches modules by URL: a new `version` imports the file again.
 */
export async function importData(path: string, version: string): Promise<Imported> {
  const imported = await importModule(path, version)
  if ('problem' in imported) return imported
  try {
    const text = JSON.stringify(imported.value) as string | undefined
    if (text !== undefined) return { value: JSON.parse(text) as Json }
  } catch (error) {
    return toProblem(error)
  }
  return {
    problem: 'it exports no data',
    advice: 'Please export data, or a function that returns it.',
  }
}

/**
 * Imports the value that a module exports, which need not be JSON: the default export, or else an object
 * of the named exports. An exported function is called as {@link importData} does.
 */
export async function importModule(path: string, version: string): Promise<Imported<unknown>> {
  const url = pathToFileURL(path)
  url.searchParams.set('v', version)
  try {
    // The cache of CommonJS modules ignores the query of the URL.
    delete createRequire(import.meta.url).cache[path]
    const module = (await settle(import(url.href))) as Record<string, unknown>
    const named = Object.keys(module).length > 0 ? { ...module } : undefined
    const exported = 'default' in module ? module['default'] : named
    const value: unknown =
      typeof exported === 'function' ? await settle((exported as () => unknown)()) : exported
    return { value }
  } catch (error) {
    const isSyntax = error instanceof SyntaxError
    const position =
      findPosition(error, url.href) ?? (isSyntax ? await checkSyntax(path) : undefined)
    return toProblem(error, position)
  }
}

/** Rejects the promises that are awaited while the event loop drains. */
const rejections = new Set<() => void>()

const onDrained = (): void => rejections.forEach((reject) => reject())

/** Awaits a promise; throws if the event loop drains first, where Node would exit without a message. */
async function settle(value: unknown): Promise<unknown> {
  let rejectDrained = (): void => undefined
  const drained = new Promise((_, reject) => {
    rejectDrained = () => reject(new Error('It awaits a promise that never settles'))
  })
  if (rejections.size === 0) process.on('beforeExit', onDrained)
  rejections.add(rejectDrained)
  try {
    return await Promise.race([value, drained])
  } finally {
    rejections.delete(rejectDrained)
    if (rejections.size === 0) process.off('beforeExit', onDrained)
  }
}

function toProblem(error: unknown, position?: Position): ImportProblem {
  const message = toMessage(error)
  const isElsewhere = error instanceof SyntaxError && !position
  const advice = MODULE_IN_COMMONJS.test(message)
    ? 'Please rename it to .mjs, or write "type": "module" into package.json.'
    : `Please correct ${isElsewhere ? 'what it imports' : 'it'}.`
  return { problem: `it throws "${message}"`, advice, ...(position ? { position } : {}) }
}

/** The messages of Node for ES module syntax in a file that its package declares as CommonJS. */
const MODULE_IN_COMMONJS =
  /^(?:Cannot use import statement outside a module|Unexpected token 'export')$/

/** The first position inside the module in the stack of an error. */
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
