import { MockError } from '../core/errors/mock-error.ts'
import type { Rule, RuleState } from '../core/http/rules/rule.ts'
import { createRules, type RuleEntry } from '../core/http/rules/rules.ts'
import type { Client } from './client.ts'
import type { RemoteRule, RemoteRuleEffects, RemoteRuleHandle, RemoteRuleList } from './types.ts'

/** Creates remote rules: all effects of a statement `on(…).delay(200).fail(500)` are one request. */
export function createRemoteRules({ send }: Client): RemoteRules {
  let resets = 0

  /** Adds a rule, and returns a handle that removes it. */
  async function add(input: unknown): Promise<RemoteRuleHandle> {
    const [rule] = await send<RuleState[]>('POST', 'rules', input)
    const number = rule?.number ?? 0
    const addedAfter = resets
    return {
      number,
      async remove() {
        if (resets === addedAfter) await send('DELETE', `rules/${number}`).catch(toFalse)
      },
    }
  }

  return {
    list: () => send('GET', 'rules'),
    end: (number) =>
      send('DELETE', number === undefined ? 'rules' : `rules?id=${number}`).then(
        () => true,
        toFalse,
      ),
    on(method, path) {
      // A rule of a local mock checks the effects, with its own errors.
      const rules = createRules('')
      const rule = rules.on(method, path)
      const errors: unknown[] = []
      let added: RemoteRule | undefined
      let isSent = false

      /** Notes an effect; all effects of a statement are sent together, when it has run. */
      function set(effect: (rule: Rule) => void): RemoteRule {
        if (isSent) return chain(Promise.reject(tooLate()))
        try {
          effect(rule)
        } catch (error) {
          errors.push(error)
        }
        return (added ??= chain(Promise.resolve().then(addAll)))
      }

      function addAll(): Promise<RemoteRuleHandle> {
        isSent = true
        if (errors.length > 0) throw errors[0]
        return add(toInput(rules.entries()[0]))
      }

      const effects: RemoteRuleEffects = {
        fail: (status, options) => set((one) => one.fail(status, options)),
        reply: (status, body, options) => set((one) => one.reply(status, body, options)),
        drop: (options) => set((one) => one.drop(options)),
        delay: (time, options) => set((one) => one.delay(time, options)),
        times: (count) => set((one) => one.times(count)),
      }
      const chain = (promise: Promise<RemoteRuleHandle>): RemoteRule =>
        Object.assign(promise, effects)
      return effects
    },
    reset: () => void resets++,
  }
}

/** The rules of a running mock, with those that other clients add. */
export interface RemoteRules extends RemoteRuleList {
  on(method: string, path: string): RemoteRuleEffects
  /** Forgets the rules of the client, as a reset of the mock has removed them and numbers rules from 1 again. */
  reset(): void
}

function toInput(entry: RuleEntry | undefined): unknown {
  if (!entry) return undefined
  const { method, path, delay, left, answer } = entry
  return {
    on: `${method} ${path}`,
    ...(delay && { delay }),
    ...(left < Infinity && { times: left }),
    ...(answer && (answer.status === 0 ? { drop: true } : toResponse(answer))),
  }
}

function toResponse({ status, headers, body }: NonNullable<RuleEntry['answer']>): object {
  const response = { status, headers: Object.fromEntries(headers) }
  if (body === null) return { ...response, empty: true }
  if (body === undefined || typeof body === 'string') return { ...response, body }
  throw new MockError(
    'Failed to add a rule: its body is neither JSON nor a text, and cannot be sent to a running mock. Please give JSON or a text.',
    { status: 400, code: 'RULE_INVALID' },
  )
}

function tooLate(): MockError {
  return new MockError(
    'Failed to change a rule: it is already sent. Please give all effects in one statement, as in mock.on("GET", "/posts").delay(200).fail(500).',
    { status: 400, code: 'RULE_SENT' },
  )
}

/** Returns false for the error of a rule that has ended, which is removed already. @throws any other error */
function toFalse(error: unknown): false {
  if (!(error instanceof MockError) || error.code !== 'RULE_UNKNOWN') throw error
  return false
}
