import { wrong } from '../../core/errors/check.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import { splitPattern } from '../../core/url/pattern.ts'
import type { Delay } from '../../core/time/duration.ts'
import type { DropOptions } from '../../core/http/rules/rule.ts'
import type { RemoteRule } from '../../remote/types.ts'
import type { Controllable, Tool } from '../tool.ts'

/** Tools that list, add and remove rules: errors, other responses and delays. */
export const ruleTools: readonly Tool[] = [
  {
    name: 'list_rules',
    title: 'List rules',
    description:
      'Lists the active rules, the newest first, which wins over older ones: their number, requests and status (0 for a dropped connection).',
    effect: 'reads',
    input: {},
    run: async ({ mock }) => ({ rules: await mock.rules.list() }),
  },
  {
    name: 'add_rule',
    title: 'Add a rule',
    description:
      'Makes requests fail, delays them, or gives them other responses, for example {"on":"GET /posts","fail":500,"times":1}. Give "fail", "reply" or "drop", or only "delay". Returns the number of the rule for remove_rules. The data stays as it is.',
    effect: 'adds',
    input: {
      on: {
        type: 'string',
        description:
          'Method and path of the requests: "GET /posts", "POST /posts/:id", "* /admin/*". The path is below the base; GET also matches HEAD and QUERY; * matches every method.',
      },
      fail: {
        type: 'integer',
        minimum: 200,
        maximum: 599,
        description: 'Answers with this status and the error body of the API, or with "body".',
      },
      reply: {
        type: 'integer',
        minimum: 200,
        maximum: 599,
        description: 'Answers with this status and "body" (none without it).',
      },
      body: { description: 'The body of the response: JSON, or a text that is sent as it is.' },
      headers: { type: 'object', additionalProperties: { type: 'string' } },
      drop: {
        type: ['boolean', 'object'],
        description:
          'Drops the connection: a network error for the client. {"after":"50%"}, or a number of bytes, breaks it partway through an upload or a download.',
        properties: { after: { type: ['string', 'integer'] } },
        additionalProperties: false,
      },
      delay: {
        type: ['integer', 'string'],
        description:
          'Delays the response: 2000 (milliseconds), "2s", or "200-800" for a random delay.',
      },
      times: {
        type: 'integer',
        minimum: 1,
        description: 'Applies to this many requests and then ends; to all without it.',
      },
    },
    required: ['on'],
    run: addRule,
  },
  {
    name: 'remove_rules',
    title: 'Remove rules',
    description: 'Removes the rule of a number, or all rules without a number.',
    effect: 'changes',
    input: {
      number: { type: 'integer', description: 'The number of the rule, as in list_rules.' },
    },
    run: removeRules,
  },
]

interface RuleArgs {
  on: string
  fail?: number
  reply?: number
  body?: unknown
  headers?: Record<string, string>
  drop?: boolean | DropOptions
  delay?: Delay
  times?: number
}

async function addRule({ mock }: Controllable, args: RuleArgs): Promise<object> {
  const { on, fail, reply, body, headers = {}, drop = false, delay, times } = args
  const responses = [fail, reply, drop || undefined].filter((one) => one !== undefined)
  if (responses.length > 1) {
    throw wrong(
      'the rule',
      'it has several responses. Please give one of "fail", "reply" and "drop".',
    )
  }
  const uses = times === undefined ? {} : { times }
  const effects = mock.on(...splitPattern(on))
  let rule: RemoteRule | undefined
  if (drop) rule = effects.drop({ ...(drop !== true && drop), ...uses })
  else if (fail !== undefined)
    rule = effects.fail(fail, { headers, ...uses, ...('body' in args && { body }) })
  else if (reply !== undefined || 'body' in args)
    rule = effects.reply(reply ?? 200, body, { headers, ...uses })
  if (delay !== undefined) rule = effects.delay(delay, uses)
  if (!rule) {
    throw wrong(
      'the rule',
      'it does nothing. Please give "fail", "reply", "body", "drop" or "delay".',
    )
  }
  const { number } = await rule
  return { number, rules: await mock.rules.list() }
}

async function removeRules(
  { mock }: Controllable,
  { number }: { number?: number },
): Promise<object> {
  if (await mock.rules.end(number)) return { rules: await mock.rules.list() }
  throw new MockError(
    `Failed to remove the rule ${number}: there is no rule with this number. Please call list_rules.`,
    { status: 404, code: 'RULE_UNKNOWN' },
  )
}
