import { resolve } from 'node:path'
import type { Rewrite } from '../core/behaviours/rewrite.ts'
import { toMessage } from '../core/errors/error-details.ts'
import { configError } from '../core/errors/mock-error.ts'
import { isRecord, isSame } from '../core/json/json.ts'
import type { RewriteRules } from '../core/url/express-pattern.ts'
import { toLabel } from '../loader/discover/discover.ts'
import { readDataFile } from './config/read-data-file.ts'

/** Creates the behaviour of the option `routes`. @throws MockError when a rule or the file is wrong */
export async function createRewrites(
  routes: string | RewriteRules,
  cwd: string,
): Promise<Rewrites> {
  const { rewrite } = await import('../core/behaviours/rewrite.ts')
  if (typeof routes !== 'string') return { behaviour: rewrite(routes) }
  const path = resolve(cwd, routes)
  const label = toLabel(path, cwd)
  const read = async (): Promise<RewriteRules> => toRules(await readDataFile(path, cwd))
  let rules = await read()
  const behaviour = inFile(label, () => rewrite(rules))
  const reload = async (): Promise<boolean> => {
    const changed = await read()
    if (isSame(changed, rules)) return false
    rules = changed
    inFile(label, () => behaviour.replace(changed))
    return true
  }
  return { behaviour, file: { path, label, reload } }
}

/** The behaviour that applies the rules of the option `routes`, and the file that contains the rules. */
export interface Rewrites {
  behaviour: Rewrite
  /** Undefined if the configuration itself contains the rules. */
  file?: RulesFile
}

/** A file of rewrite rules, such as json-server's `routes.json`. */
export interface RulesFile {
  /** The absolute path. */
  path: string
  /** The path in messages. */
  label: string
  /** Reads the file again; true if rules have changed. @throws MockError when it is wrong; the old rules stay */
  reload(): Promise<boolean>
}

/** Removes `$schema`, which is for editors. The check of the rules refuses a value that is not an object. */
function toRules(value: unknown): RewriteRules {
  if (!isRecord(value)) return value as RewriteRules
  const { $schema: _schema, ...rules } = value
  return rules as RewriteRules
}

/** Adds the name of the file to the message of a wrong rule. */
function inFile<T>(label: string, use: () => T): T {
  try {
    return use()
  } catch (cause) {
    throw configError(`${label}: ${toMessage(cause)}`, cause)
  }
}
