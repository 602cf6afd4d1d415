import { checkOptions, isCount, isFlag, isMapOf, isAmount, isText } from '../errors/check.ts'
import { type Delay, isDelay } from '../time/duration.ts'
import { MockError } from '../errors/mock-error.ts'
import type { MockInternals } from '../http/contract/internals.ts'
import type { Json } from '../json/json.ts'
import { splitPattern } from '../url/pattern.ts'

/** Adds a rule as `mock.on` does: `{"on":"GET /posts/:id","status":500}`. @throws MockError */
export function addRule(mock: MockInternals, input: unknown): void {
  checkOptions(
    'the rule',
    input,
    {
      on: isText,
      status: isAmount,
      body: [() => true, 'any JSON'],
      empty: isFlag,
      headers: isMapOf(isText),
      drop: isFlag,
      delay: isDelay,
      times: isCount,
    },
    ['on'],
  )
  const {
    on,
    status,
    body,
    empty,
    headers = {},
    drop,
    delay,
    times = Infinity,
  } = input as RuleInput
  const rule = mock.on(...splitPattern(on))
  const options = { times, headers, ...(body !== undefined && { body }) }
  if (drop === true) rule.drop({ times })
  else if (status !== undefined && empty === true) rule.reply(status, undefined, { times, headers })
  else if (status !== undefined) rule.fail(status, options)
  else if (body !== undefined) rule.reply(200, body, options)
  else if (delay === undefined) {
    throw new MockError(
      'Failed to add a rule: it does nothing. Please give "status", "body", "drop" or "delay".',
      { status: 400 },
    )
  }
  // Last, as it cannot fail: a refused rule leaves no delay behind.
  if (delay !== undefined) rule.delay(delay, { times })
}

interface RuleInput {
  /** The pattern of the requests: `GET /posts/:id`. */
  on: string
  status?: number
  body?: Json
  /** Whether the response has no body, in place of the error that the dialect writes for the status. */
  empty?: boolean
  headers?: Record<string, string>
  drop?: boolean
  delay?: Delay
  times?: number
}
