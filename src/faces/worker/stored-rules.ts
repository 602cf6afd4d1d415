import type { CoreMock } from '../../core/mock/core-mock.ts'
import type { Rule } from '../../core/http/rules/rule.ts'
import { tagOf } from '../../core/json/json.ts'
import type { Items } from './items.ts'

/** Stores the rules whose responses are plain data, as all of the control API are, across restarts. */
export function createStoredRules({ on, rules }: CoreMock, items: Items): StoredRules {
  const added = new Map<number, StoredRule>()
  let last = items.get('world', 'rules') as StoredRule[] | undefined

  function add(method: string, path: string): Rule {
    const rule = on(method, path)
    const effects: Effect[] = []
    const wrapped: Rule = { ...rule }
    const call = (name: Effect['name'], given: unknown[]): Rule => {
      ;(rule[name] as (...values: unknown[]) => Rule)(...given)
      const count = effectNames[name]
      const { times: _times, ...options } = (given[count] ?? {}) as Record<string, unknown>
      const values = given.slice(0, count)
      // JSON has no undefined: a reply without a body has one argument less.
      if (values.at(-1) === undefined) values.pop()
      effects.push({ name, values, options })
      // The newest rule is the first, and becomes active with its first effect.
      const [newest] = rules.list()
      if (newest && effects.length === 1) added.set(newest.number, { method, path, effects })
      return wrapped
    }
    return Object.assign(wrapped, {
      fail: (...given: unknown[]) => call('fail', given),
      reply: (...given: unknown[]) => call('reply', given),
      drop: (...given: unknown[]) => call('drop', given),
      delay: (...given: unknown[]) => call('delay', given),
      times(count: number) {
        rule.times(count)
        return wrapped
      },
    })
  }

  return {
    on: add,
    restore() {
      for (const { method, path, effects, left } of last ?? []) {
        const rule = add(method, path)
        for (const { name, values, options } of effects) {
          const given = [...values]
          while (given.length < effectNames[name]) given.push(undefined)
          ;(rule[name] as (...values: unknown[]) => Rule)(...given, options)
        }
        if (left !== undefined) rule.times(left)
      }
    },
    save() {
      if (last === undefined && rules.list().length === 0) return
      const active = rules.list().flatMap(({ number, left }) => {
        const rule = added.get(number)
        return rule && isPlain(rule) ? [{ ...rule, ...(left !== undefined && { left }) }] : []
      })
      const next = active.toReversed()
      if (JSON.stringify(next) === JSON.stringify(last ?? [])) return
      last = next
      items.put('world', 'rules', next)
    },
  }
}

/** The result of {@link createStoredRules}. */
export interface StoredRules {
  /** `mock.on`, which remembers the effects of the rules that it adds. */
  on: CoreMock['on']
  /** Adds the rules of the last process. */
  restore(): void
  /** Stores the active rules if they have changed. */
  save(): void
}

/** A call, such as `fail(500)`, that added an effect to a rule. */
interface Effect {
  name: 'fail' | 'reply' | 'drop' | 'delay'
  /** The arguments without the options. */
  values: unknown[]
  options: Record<string, unknown>
}

/** A rule as plain data. */
interface StoredRule {
  method: string
  path: string
  effects: Effect[]
  /** The number of requests that the rule still applies to; missing for no limit. */
  left?: number
}

/** The effects, with the number of arguments before the options. */
const effectNames: Readonly<Record<Effect['name'], number>> = {
  fail: 1,
  reply: 2,
  drop: 0,
  delay: 1,
}

/** Whether JSON can represent the values of a rule; a rule with a function or a stream as body is not stored. */
function isPlain({ effects }: StoredRule): boolean {
  const values = effects.flatMap(({ values, options }) => [...values, options['body']])
  return values.every((value) => plainTags.has(tagOf(value)))
}

const plainTags = new Set(['Object', 'Array', 'String', 'Number', 'Boolean', 'Null', 'Undefined'])
