import { isMapOf, isName, wrong, wrongValue } from '../errors/check.ts'
import { toMessage } from '../errors/error-details.ts'
import { suggest } from '../errors/nearest.ts'
import type { Answer } from '../dialects/contract/dialect.ts'
import type { Behaviour } from '../http/contract/behaviour.ts'
import type { Description } from '../http/contract/description.ts'
import type { Exchange } from '../http/contract/exchange.ts'
import {
  compileExpressPattern,
  type ExpressPattern,
  type RewriteRules,
} from '../url/express-pattern.ts'
import { hasMethod, parsePattern, type Pattern } from '../url/pattern.ts'

/**
 * Rewrites the URLs of requests, as json-server does with `routes.json`: each rule whose pattern matches the
 * path and query, without the path prefix (option `base`), replaces both by its target, and the next rule
 * continues with the result. A pattern can begin with methods: `GET /posts`. `GET /__rules` returns the rules.
 * @throws MockError when a rule is wrong
 * @example rewrite({ '/blog/:id/show': '/posts/:id', '/api/*': '/$1' })
 */
export function rewrite(rules: RewriteRules): Rewrite {
  let given = rules
  let parsed = parseRules(rules)
  const reroute: Reroute = (url, method) => applyRules(parsed, url, method)
  return {
    name: 'rewrite',
    replace(changed) {
      parsed = parseRules(changed)
      given = changed
    },
    create: ({ service: { base } }) => ({
      reroute,
      describe: () => describeRules(given),
      routes: [
        ...parsed.map(({ pattern, methods }) => ({ methods: methods ?? ['*'], path: pattern })),
        { methods: ['GET', 'HEAD'], path: '/__rules' },
      ],
      at: {
        entry(exchange): Answer | undefined {
          if (!exchange.path.startsWith(`${base}/`)) return undefined
          // Rewritten already, for the middlewares of a server.
          if (exchange.request.diverted?.includes('rewrite')) return undefined
          if (isForRules(exchange, base)) return { status: 200, headers: [], value: given }
          rewriteUrl(exchange, base, reroute)
          return undefined
        },
      },
    }),
  }
}

/** The behaviour that {@link rewrite} creates; its rules can be replaced. */
export interface Rewrite extends Behaviour {
  /** Replaces all rules. @throws MockError when a rule is wrong; the rules before stay */
  replace(rules: RewriteRules): void
}

/** Creates the function that rewrites a path with its query. @throws MockError for a wrong rule */
export function createUrlRewrite(rules: RewriteRules): Reroute {
  const parsed = parseRules(rules)
  return (url, method) => applyRules(parsed, url, method)
}

/** Rewrites a path with its query; without a method, by the rules of all methods. */
type Reroute = (url: string, method?: string) => string

/** Describes the rules for the OpenAPI document, because they give other paths to operations. */
function describeRules(rules: RewriteRules): Description {
  const lines = Object.entries(rules).map(
    ([pattern, target]) => `- \`${pattern}\` is \`${target}\``,
  )
  const schema = { type: 'object', additionalProperties: { type: 'string' } }
  return {
    notes: [`Paths are rewritten:\n${lines.join('\n')}`],
    routes: () => [
      {
        method: 'GET',
        path: '/__rules',
        operationId: 'getRules',
        summary: 'Get the rules that rewrite paths',
        responses: { 200: { description: 'The rules.', schema } },
      },
    ],
  }
}

function isForRules({ method, path }: Exchange, base: string): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead && /^\/__rules\/?$/i.test(path.slice(base.length))
}

function rewriteUrl(exchange: Exchange, base: string, reroute: Reroute): void {
  const url = exchange.path.slice(base.length) + exchange.search
  const target = reroute(url, exchange.method)
  if (target === url) return
  const [path = '', search] = target.split(/(?=\?)/, 2)
  addClientUrl(exchange, exchange.path, base + path, (to) => {
    return base + reroute(to.slice(base.length), 'GET')
  })
  exchange.path = base + path
  // As in Express, the parameters of the request stay if the target has none.
  if (search !== undefined) exchange.search = target.slice(path.length)
  exchange.rewritten = base + target
  exchange.reasons.push(`rewritten to ${target}`)
}

/** Gives links the prefix of the client's path that the rules have replaced, if the rules lead from there to their target. */
function addClientUrl(exchange: Exchange, sent: string, path: string, reroute: Reroute): void {
  const [before, after] = [sent.split('/'), path.split('/')]
  while (before.length > 1 && after.length > 1 && before.at(-1) === after.at(-1)) {
    before.pop()
    after.pop()
  }
  const [sentPrefix, prefix] = [before.join('/'), after.join('/')]
  const { toClientUrl = (url: string) => url } = exchange
  exchange.toClientUrl = (url) => {
    const candidate = sentPrefix + url.slice(prefix.length)
    return url.startsWith(prefix) && reroute(candidate) === url ? toClientUrl(candidate) : url
  }
}

interface RewriteRule extends ExpressPattern, Pick<Pattern, 'methods'> {
  pattern: string
  target: string
}

const subject = 'the options of "rewrite"'

/** A pattern with more open parameters could block the mock for minutes with a single long URL. */
const maxOpen = 2

function parseRules(rules: RewriteRules): RewriteRule[] {
  const [isValid, expected] = isMapOf(isName)
  if (!isValid(rules)) throw wrongValue(subject, rules, expected)
  return Object.entries(rules).map(([key, target]) => {
    const { methods, pattern } = splitMethods(key)
    const compiled = compile(pattern)
    const known = [...compiled.groups.keys()]
    for (const [, name = ''] of target.matchAll(/:(\w+)/g)) {
      if (known.includes(name)) continue
      throw wrong(
        subject,
        `"${target}" has the parameter ":${name}", which "${pattern}" has not. ${suggest(name, known)}`,
      )
    }
    return { methods, pattern, target: encode(target), ...compiled }
  })
}

/** Splits `GET /posts`, a pattern for some methods. @throws MockError for a method that looks like a typo */
function splitMethods(key: string): Pick<RewriteRule, 'methods' | 'pattern'> {
  const [, listed, pattern = key] = /^([A-Z]+(?:,[A-Z]+)*) +(\S.*)$/s.exec(key) ?? []
  return {
    methods: listed === undefined ? undefined : parsePattern(`${listed} *`).methods,
    pattern,
  }
}

function compile(pattern: string): ExpressPattern {
  let compiled: ExpressPattern
  try {
    compiled = compileExpressPattern(pattern)
  } catch (error) {
    throw wrong(subject, `"${pattern}" is not a pattern: ${toMessage(error)}. Please correct it.`)
  }
  if (compiled.openCount <= maxOpen) return compiled
  throw wrong(
    subject,
    `"${pattern}" has more than ${maxOpen} parameters such as *. Please write :name for a single segment.`,
  )
}

function applyRules(rules: readonly RewriteRule[], url: string, method?: string): string {
  return rules
    .filter((rule) => method === undefined || hasMethod(rule, method))
    .reduce(applyRule, url)
}

function applyRule(url: string, { expression, groups, target }: RewriteRule): string {
  const match = expression.exec(url)
  if (!match) return url
  // Like json-server, writes `undefined` for an optional parameter that is missing.
  return target.replace(/\$(\d+)|:(\w+)/g, (_, index: string | undefined, name: string) =>
    String(match[index === undefined ? (groups.get(name) ?? 0) : Number(index)]),
  )
}

function encode(target: string): string {
  return target.replaceAll(/\p{Surrogate}/gu, '\uFFFD').replaceAll(/[^!-~]+/g, encodeURIComponent)
}
