import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { Json } from '../../core/json/json.ts'
import type { Place } from '../text/code-frame.ts'
import { toMessage } from '../../core/errors/error-details.ts'

/** What a module exports, or why it does not, with the place where that is known. */
export type Imported<T = Json> = { value: T } | ImportProblem

/** Why a module gives nothing. */
export interface ImportProblem {
  problem: string
  advice: string
  place?: Place
}

/**
 * The data that a `.js` or `.mjs` file exports, or that the possibly async function it exports returns.
 * The version makes an edited file a new module; the same version is the same module.
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

/** Whatever a module exports, or the possibly async function it exports returns, as {@link importData}. */
export async function importModule(path: string, version: string): Promise<Imported<unknown>> {
  const url = pathToFileURL(path)
  url.searchParams.set('v', version)
  try {
    // A CommonJS module is remembered by its path alone.
    delete createRequire(import.meta.url).cache[path]
    const module = (await orIdle(import(url.href))) as Record<string, unknown>
    const named = Object.keys(module).length > 0 ? { ...module } : undefined
    const exported = 'default' in module ? module['default'] : named
    const value: unknown =
      typeof exported === 'function' ? await orIdle((exported as () => unknown)()) : exported
    return { value }
  } catch (error) {
    const isSyntax = error instanceof SyntaxError
    const place = placeIn(error, url.href) ?? (isSyntax ? await checkSyntax(path) : undefined)
    return toProblem(error, place)
  }
}

/** What to do for those who wait for a module once nothing is left that could settle anything. */
const waiting = new Set<() => void>()

const onIdle = (): void => waiting.forEach((fail) => fail())

/** What a promise comes to; where Node would end without a word, as it comes to nothing, an error. */
async function orIdle(value: unknown): Promise<unknown> {
  let fail = (): void => undefined
  const idle = new Promise((_, reject) => {
    fail = () => reject(new Error('It waits for what never comes'))
  })
  if (waiting.size === 0) process.on('beforeExit', onIdle)
  waiting.add(fail)
  try {
    return await Promise.race([value, idle])
  } finally {
    waiting.delete(fail)
    if (waiting.size === 0) process.off('beforeExit', onIdle)
  }
}

function toProblem(error: unknown, place?: Place): ImportProblem {
  const message = toMessage(error)
  const isElsewhere = error instanceof SyntaxError && !place
  const advice = MODULE_IN_COMMONJS.test(message)
    ? 'Please rename it to .mjs, or write "type": "module" into package.json.'
    : `Please correct ${isElsewhere ? 'what it imports' : 'it'}.`
  return { problem: `it throws "${message}"`, advice, ...(place ? { place } : {}) }
}

/** What Node says of a module in a file that its package has for CommonJS. */
const MODULE_IN_COMMONJS =
  /^(?:Cannot use import statement outside a module|Unexpected token 'export')$/

/** The first place inside the module that the error's stack names. */
function placeIn(error: unknown, url: string): Place | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const rest = stack.split(`${url}:`)[1]
  const match = /^(\d+):(\d+)/.exec(rest ?? '')
  return match ? { line: Number(match[1]), column: Number(match[2]) } : undefined
}

/** Where a module's syntax breaks; only Node's own checker tells. */
async function checkSyntax(path: string): Promise<Place | undefined> {
  // A module that only its syntax shows to be one passes the check of its file on Node 20 and 22.
  const asModule = ['--check', '--input-type=module', '-']
  const text = await readFile(path, 'utf8').catch(() => '')
  return (await runChecker(['--check', path], '')) ?? runChecker(asModule, text)
}

function runChecker(args: string[], input: string): Promise<Place | undefined> {
  // Only who makes such a mistake waits until it is loaded.
  const { execFile } = process.getBuiltinModule('node:child_process')
  return new Promise((done) => {
    const checker = execFile(process.execPath, args, { timeout: 5000 }, (_error, _out, text) => {
      // A file that ends too early has no marker under the line.
      const match = /^.*:(\d+)\r?\n(?:.*\r?\n([ \t]*)\^)?/.exec(text)
      done(match ? { line: Number(match[1]), column: (match[2]?.length ?? 0) + 1 } : undefined)
    })
    // A checker that has ended already reads nothing.
    checker.stdin?.on('error', () => undefined).end(input)
  })
}
