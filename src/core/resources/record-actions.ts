import {
  actionPath,
  checkRecordCall,
  renderAction,
  storeAction,
} from '../behaviours/shared/record-actions.ts'
import type { Answer } from '../dialects/contract/dialect.ts'
import type { DescribedRoute } from '../dialects/contract/description.ts'
import { MockError } from '../errors/mock-error.ts'
import type { Description } from '../http/contract/description.ts'
import type { Exchange } from '../http/contract/exchange.ts'
import type { ExtraRoute, Hook } from '../http/contract/hooks.ts'
import { andThen, type MaybePromise } from '../http/contract/messages.ts'
import { answerMethods } from '../http/routing/wrong-method.ts'
import {
  clone,
  define,
  isRecord,
  isSame,
  type Json,
  type JsonRecord,
  ownValue,
} from '../json/json.ts'
import { isId } from '../store/records/ids.ts'
import { parsePattern } from '../url/pattern.ts'
import { formatTime, toTimestamps } from '../behaviours/fields/options.ts'
import { fill, toLookup, toText, variablesOf } from '../text/template.ts'
import type { Clock } from '../time/clock.ts'
import { keepText, mediaType, readRecord, recordTypes } from '../http/resource/body.ts'
import { actionsOf, type ResourceAction, type SetFacts, setVariables } from './action-options.ts'
import type { ResourceOptions } from './options.ts'
import { viewerOf } from './related-values.ts'

/** Creates the hook that answers the actions of the option `actions`. */
export function createRecordActions(
  resources: Readonly<Record<string, ResourceOptions>>,
  clock: Clock,
): ResourceActions | undefined {
  const all = Object.entries(resources).flatMap(([name, own]) => {
    const { as } = toTimestamps(own.fields?.timestamps)
    const entries = Object.entries(actionsOf(own)).map(([key, action]): NamedAction => {
      const [method = '', title = ''] = key.split(' ')
      return { method, title, action }
    })
    const now: Now = (form) => formatTime(form ?? as, clock.now())
    return entries.length > 0 ? [{ name, entries, now, call: parsePattern(actionPath(name)) }] : []
  })
  if (all.length === 0) return undefined

  function answer(exchange: Exchange): MaybePromise<Answer | undefined> {
    const { service, method, path, target } = exchange
    if (!path.startsWith(`${service.base}/`)) return undefined
    const below = path.slice(service.base.length).replace(/\/$/, '')
    for (const { name, entries, call, now } of all) {
      const { id, action: title } = call.match(below) ?? {}
      const own = entries.filter((one) => one.title === title)
      if (id === undefined || own.length === 0) continue
      const found = service.readOnly ? undefined : own.find((one) => one.method === method)
      // Children can have the name of an action.
      if (!found && target) return undefined
      const methods = service.readOnly ? [] : own.map((one) => one.method)
      const options = answerMethods(exchange, [...methods, 'OPTIONS'])
      return options ?? (found && run({ exchange, name, id }, found.action, now))
    }
    return undefined
  }

  return {
    answer,
    routes: all.flatMap(({ name, entries }) =>
      Array.from(new Set(entries.map(({ title }) => title)), (title) => ({
        methods: [
          ...entries.filter((one) => one.title === title).map(({ method }) => method),
          'OPTIONS',
        ],
        path: `/${name}/:id/${title}`,
      })),
    ),
    describe: (schemaOf) =>
      all.flatMap(({ name, entries }) => entries.map((one) => describeAction(name, one, schemaOf))),
  }
}

interface ResourceActions {
  answer: Hook
  routes: readonly ExtraRoute[]
  describe: NonNullable<Description['routes']>
}

type Now = (form?: Parameters<typeof formatTime>[0]) => Json

interface NamedAction {
  method: string
  title: string
  action: ResourceAction
}

/** Runs an action. @throws MockError 401 if it needs a user, 404 without the record */
function run(
  call: { exchange: Exchange; name: string; id: string },
  action: ResourceAction,
  now: Now,
): MaybePromise<Answer> {
  const { exchange } = call
  const { viewer: needsViewer = false, owner = false, touch = true, value, create } = action
  const viewer = viewerOf(exchange)
  if (needsViewer && !viewer) throw exchange.unauthorized?.() ?? unauthorized(exchange)
  const record = checkRecordCall(call)
  const { idField } = exchange.service.resources.stored(call.name)
  const { user = null } = exchange
  const id = ownValue(record, idField) ?? call.id
  const facts = { record, id, user, now: now(), today: now('date'), body: {} }
  checkWhen(call, action, facts)
  const given = needsViewer ? viewer?.value : value
  const { set } = action
  return andThen(readFacts(exchange, call.name, facts, [set, create?.fields]), (all) => {
    const own = typeof set === 'object' ? fillPresent(set, all) : set
    const isDone =
      action.once === true &&
      typeof own === 'object' &&
      Object.entries(own).every(([field, one]) => isSame(ownValue(record, field) ?? null, one))
    const change = (previous: JsonRecord): JsonRecord =>
      isDone
        ? {}
        : changesOf(previous, { ...action, ...(own !== undefined && { set: own }) }, given)
    const { answer: template, status } = action
    const form = template === undefined ? undefined : { template, status }
    const created = create && { in: create.in, fields: fillPresent(create.fields, all) }
    const writes = { isOpen: !owner, keepsTimes: !touch || isDone }
    return andThen(storeAction(call, change, writes, created), (stored) =>
      renderAction(
        create ? { ...call, name: create.in } : call,
        stored,
        form,
        create !== undefined,
      ),
    )
  })
}

/** Checks that the record has the values of `when`. @throws MockError 409 */
function checkWhen(
  { exchange: { method, path } }: Parameters<typeof run>[0],
  { when = {}, refused }: ResourceAction,
  facts: SetFacts,
): void {
  for (const [field, values] of Object.entries(when)) {
    const value = isRecord(facts.record) ? (ownValue(facts.record, field) ?? null) : null
    const allowed = Array.isArray(values) ? values : [values]
    if (allowed.some((one) => isEqual(one, value))) continue
    const words = allowed.map((one) => JSON.stringify(one)).join(' or ')
    const reason = `Failed to ${method} "${path}": "${field}" is ${JSON.stringify(value)}, and has to be ${words}.`
    throw new MockError(
      refused === undefined ? reason : toText(refused, toLookup(setVariables, facts)),
      { status: 409, code: 'ACTION_REFUSED' },
    )
  }
}

/** Adds the body of the request, if a template has its fields; an empty body has none. */
function readFacts(
  exchange: Exchange,
  name: string,
  facts: SetFacts,
  templates: readonly ResourceAction['set'][],
): MaybePromise<SetFacts> {
  const variables = templates.flatMap((one) => variablesOf(one ?? null))
  if (!variables.some((variable) => variable.startsWith('body'))) return facts
  const withBody = (body: Json): SetFacts => ({ ...facts, body })
  const read = (): MaybePromise<SetFacts> =>
    andThen(readRecord(exchange, name, recordTypes), withBody)
  if (mediaType(exchange.request) === 'multipart/form-data') return read()
  return andThen(keepText(exchange), (text) => (text === '' ? facts : read()))
}

/** Fills in variables; a field whose variable has no value is left out. */
function fillPresent(fields: Readonly<Record<string, Json>>, facts: SetFacts): JsonRecord {
  const lookup = toLookup(setVariables, facts)
  const present = Object.entries(fields).filter(([, value]) =>
    variablesOf(value).every((variable) => (lookup(variable) ?? null) !== null),
  )
  return fill(Object.fromEntries(present), lookup) as JsonRecord
}

function unauthorized({ method, path }: Exchange): MockError {
  return new MockError(`Failed to ${method} "${path}": it needs a user. Please log in.`, {
    status: 401,
    code: 'UNAUTHORIZED',
  })
}

function changesOf(
  previous: JsonRecord,
  { add, remove, toggle, set, increment, by = 1 }: ResourceAction,
  value: Json | undefined,
): JsonRecord {
  const changes: JsonRecord = {}
  const read = (field: string): Json => ownValue(previous, field) ?? null
  const without = (field: string): Json[] =>
    [read(field)].flat().filter((one) => one !== null && !isEqual(one, value))
  const has = (field: string): boolean => [read(field)].flat().some((one) => isEqual(one, value))
  const withValue = (field: string): Json[] =>
    has(field) ? [read(field)].flat() : [...without(field), clone(value ?? null)]
  if (add !== undefined) define(changes, add, withValue(add))
  if (remove !== undefined) define(changes, remove, without(remove))
  if (toggle !== undefined) {
    const inverted = has(toggle) ? without(toggle) : withValue(toggle)
    define(changes, toggle, value === undefined ? read(toggle) !== true : inverted)
  }
  if (typeof set === 'string') define(changes, set, clone(value ?? null))
  else for (const [field, one] of Object.entries(set ?? {})) define(changes, field, clone(one))
  if (increment !== undefined) define(changes, increment, (Number(read(increment)) || 0) + by)
  return changes
}

/** Whether two values of a list are the same; ids compare as texts. */
function isEqual(one: Json, value: Json = null): boolean {
  return isSame(one, value) || (isId(one) && isId(value) && String(one) === String(value))
}

function describeAction(
  name: string,
  { method, title, action }: NamedAction,
  schemaOf: Parameters<NonNullable<Description['routes']>>[0],
): DescribedRoute {
  return {
    method: method as DescribedRoute['method'],
    path: `/${name}/:id/${title}`,
    tag: name,
    operationId: [method.toLowerCase(), title, 'of', name]
      .join('-')
      .replaceAll(/[^A-Za-z0-9]+(.?)/g, (_, first: string) => first.toUpperCase()),
    summary: `${method} ${title}`,
    notes: [describeEffect(action)],
    responses: action.create
      ? { 201: { description: 'The new record.', schema: schemaOf(action.create.in) } }
      : { 200: { description: 'The changed record.', schema: schemaOf(name) } },
    errors: {
      404: 'There is no such record.',
      412: 'A precondition of the request does not hold.',
      428: 'The request has no `If-Match`.',
      ...(action.viewer && { 401: 'The request has no user.' }),
      ...(action.when && { 409: 'The record does not have the required values.' }),
    },
  }
}

function describeEffect({
  add,
  remove,
  toggle,
  set,
  increment,
  create,
  viewer,
}: ResourceAction): string {
  const value = viewer ? 'the user who asks' : 'a value'
  const fields = typeof set === 'string' ? [set] : Object.keys(set ?? {})
  return [
    add && `Adds ${value} to \`${add}\`.`,
    remove && `Removes ${value} from \`${remove}\`.`,
    toggle && `Toggles \`${toggle}\`.`,
    fields.length > 0 && `Sets ${fields.map((field) => `\`${field}\``).join(', ')}.`,
    create && `Creates a record of \`${create.in}\`.`,
    increment && `Increments \`${increment}\`.`,
  ]
    .filter(Boolean)
    .join(' ')
}
