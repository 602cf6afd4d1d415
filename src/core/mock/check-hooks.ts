import {
  type Check,
  checkOptions,
  isCallable,
  isListOf,
  isMapOf,
  isObject,
} from '../errors/check.ts'
import { type Hooks, type Stage, stages } from '../http/contract/hooks.ts'

/**
 * Checks the hooks that a behaviour returns from `create`: a hook with a misspelt name or stage would never
 * run.
 * @throws MockError that suggests the nearest name
 */
export function checkHooks(name: string, hooks: Hooks): void {
  const subject = `the hooks of the behaviour "${name}"`
  checkOptions(subject, hooks, hookChecks)
  if (hooks.at) checkOptions(`${subject}, "at"`, hooks.at, stageChecks)
}

const hookChecks: Readonly<Record<keyof Hooks, Check>> = {
  at: isObject,
  list: isCallable,
  view: isCallable,
  publish: isCallable,
  translate: isCallable,
  beforeWrite: isCallable,
  write: isCallable,
  check: isCallable,
  routes: isListOf(isObject),
  controls: isMapOf(isCallable),
  divert: isCallable,
  reroute: isCallable,
  describe: isCallable,
  reset: isCallable,
  end: isCallable,
}

const stageChecks = Object.fromEntries(stages.map((stage) => [stage, isCallable])) as Readonly<
  Record<Stage, Check>
>
