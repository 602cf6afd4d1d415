import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { Json } from '../core/json.ts'
import type { Place } from './code-frame.ts'
import { toMessage } from './path-problem.ts'

/** What a module exports, or why it does not, with the place where that is known. */
export type Imported = { value: Json } | { problem: string; advice: string; place?: Place }

/**
 * The data that a `.js` or `.mjs` file exports, or that the possibly async function it exports returns.
 * The version makes an edited file a new module; the same version is the same module.
 */
export async function importData(path: string, version: string): Promise<Imported> {
  const url = pathToFileURL(path)
  url.searchParams.set('v', version)
  try {
    // A CommonJS module is remembered by its path alone.
    delete createRequire(import.meta.url).cache[path]
    const module = (await import(url.href)) as Record<string, unknown>
    const exported = 'default' in module ? module['default'] : { ...module }
    const data: unknown =
      typeof exported === 'function' ? await (exported as () => unknown)() : exported
    const text = JSON.stringify(data) as string | undefined
    if (text !== undefined) return { value: JSON.parse(text) as Json }
    return {
      problem: 'it exports no data',
      advice: 'Please export data, or a function that returns it.',
    }
  } catch (error) {
    const place = error instanceof SyntaxError ? await checkSyntax(path) : placeIn(error, url.href)
    const problem = `it throws "${toMessage(error)}"`
    return { problem, advice: 'Please correct it.', ...(place ? { place } : {}) }
  }
}

/** The first place inside the module that the error's stack names. */
function placeIn(error: unknown, url: string): Place | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const rest = stack.split(`${url}:`)[1]
  const match = /^(\d+):(\d+)/.exec(rest ?? '')
  return match ? { line: Number(match[1]), column: Number(match[2]) } : undefined
}

/** Where a module's syntax breaks; only Node's own checker tells. */
function checkSyntax(path: string): Promise<Place | undefined> {
  return new Promise((done) => {
    execFile(process.execPath, ['--check', path], { timeout: 5000 }, (_error, _out, text) => {
      const match = /^.*:(\d+)\r?\n.*\r?\n([ \t]*)\^/.exec(text)
      done(match ? { line: Number(match[1]), column: (match[2]?.length ?? 0) + 1 } : undefined)
    })
  })
}
