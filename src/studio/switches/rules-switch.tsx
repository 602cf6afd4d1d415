import { tryJson } from '../../core/json/json.ts'
import { Ban } from 'lucide'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { status } from '../app/status.ts'
import { ask } from '../control.ts'
import { Press, Cross } from '../parts/controls.tsx'
import { useLoaded } from '../parts/use-loaded.ts'
import { plural } from '../parts/with-commas.ts'
import { Group } from './group.tsx'
import { RuleForm, toEffects, toNumber, type RuleInput } from './rule-form.tsx'
import { change } from './use-control.ts'

/** Lists the rules that answer or delay certain requests, and adds and removes rules. */
export function RulesSwitch(): VNode {
  const { rules } = status.value
  const routes = useLoaded(async () => ask<{ path: string; methods: string[] }[]>('routes'), [])
  const [template, setTemplate] = useState(0)
  const { values } = templates[template] ?? { values: {} }
  const patterns = routes?.flatMap(({ path, methods }) =>
    methods.filter((one) => !/^(?:HEAD|OPTIONS|QUERY)$/.test(one)).map((one) => `${one} ${path}`),
  )
  return (
    <Group
      title="Rules"
      icon={Ban}
      text="A rule answers certain requests in place of the data, or delays them."
    >
      <ul>
        {rules.map(({ number, on, status: code, isDelayed, left, isOff = false }) => (
          <li key={number}>
            <button
              type="button"
              role="switch"
              aria-checked={!isOff}
              aria-label={`Rule ${on}`}
              onClick={() => void change(`rules/${number}`, 'PUT', { isOn: isOff })}
            />{' '}
            <code>{on}</code> {code === 0 ? 'dropped' : code} {isDelayed && 'delayed'}{' '}
            {left !== undefined && <span class="dim">{left} left</span>}{' '}
            {patterns && !patterns.some((one) => covers(on, one)) && (
              <span class="badge tone-warn">no route matches</span>
            )}
            <Cross
              label={`Remove the rule ${on}`}
              run={() => change(`rules/${number}`, 'DELETE')}
            />
          </li>
        ))}
      </ul>
      <div class="chips" role="group" aria-label="Templates">
        {templates.map(({ title }, at) => (
          <Press
            text={title}
            key={title}
            aria-pressed={at === template}
            run={() => setTemplate(at)}
          />
        ))}
      </div>
      <RuleForm
        key={template}
        inputs={inputs}
        button="Add the rule"
        start={values}
        suggestions={patterns ?? []}
        onAdd={add}
      />
      {rules.length > 1 && (
        <Press
          text={`Remove ${plural(rules.length, 'rule')}`}
          kind="plain"
          run={() => change('rules', 'DELETE')}
        />
      )}
    </Group>
  )
}

const inputs: readonly RuleInput[] = [
  ['on', 'Requests', 'GET /posts/:id'],
  ['status', 'Status', '500, drop'],
  ['delay', 'Delay', '200-800'],
  ['times', 'Times', 'always'],
  ['headers', 'Headers', 'Retry-After: 30'],
  ['body', 'Body (JSON)', '{ "message": "Sorry" }'],
]

/** What a rule is often for: the values to begin with. */
const templates: readonly { title: string; values: Record<string, string> }[] = [
  { title: 'Error', values: { status: '500' } },
  { title: 'Error once', values: { status: '500', times: '1' } },
  { title: 'Empty list', values: { status: '200', body: '[]' } },
  { title: 'Slow', values: { delay: '2000' } },
  {
    title: 'Expired token',
    values: { status: '401', headers: 'WWW-Authenticate: Bearer error="invalid_token"' },
  },
  { title: 'Dropped', values: { status: 'drop' } },
]

async function add(given: Record<string, string>): Promise<boolean> {
  const { on = 'GET *', times, headers, body, ...effects } = given
  const [, name, value] = /^([^:]+):\s*(.*)$/.exec(headers ?? '') ?? []
  const rule = {
    on,
    ...toEffects(effects),
    ...(times !== undefined && { times: toNumber(times) }),
    ...(name !== undefined && { headers: { [name]: value } }),
    ...(body !== undefined && { body: tryJson(body) ?? body }),
  }
  return change('rules', 'POST', rule)
}

/** Whether the pattern of a rule, such as `GET /posts/1`, may match a route such as `GET /posts/:id`. */
function covers(on: string, route: string): boolean {
  const [method = '*', path = '*'] = on.includes(' ') ? on.split(' ', 2) : ['*', on]
  const [routeMethod, routePath = ''] = route.split(' ', 2)
  if (method !== '*' && method !== 'ANY' && method !== routeMethod) return false
  return path === '*' || overlaps(path, routePath)
}

/** Whether two paths with parameters and a `*` at the end, such as `/posts/:id` and `/posts/1`, can be the same. */
export function overlaps(path: string, other: string): boolean {
  const [wanted = [], given = []] = [path, other].map((one) => one.split('/').filter(Boolean))
  const isWild = (step = ''): boolean => step === '*' || step.startsWith(':')
  if (wanted.length !== given.length && wanted.at(-1) !== '*') return false
  return wanted.every((step, at) => isWild(step) || isWild(given[at]) || step === given[at])
}
