import {
  type Check,
  checkOptions,
  isEither,
  isFlag,
  isName,
  isObject,
  isStatus,
  wrong,
} from '../errors/check.ts'
import { recordVariables } from '../dialects/rest-names/variables.ts'
import type { Json } from '../json/json.ts'
import {
  checkVariables,
  isTemplate,
  namesOf,
  type Template,
  type Variable,
} from '../text/template.ts'

/** The effects of an action on the record, of which it can have several. */
export interface ResourceAction {
  /** The list that gets the value, once. */
  add?: string
  /** The list that loses the value. */
  remove?: string
  /** The list that gets the value or, if it has the value, loses it; without a value, the flag that is inverted. */
  toggle?: string
  /**
   * The fields that are set; with `viewer` or `value`, the field that gets the value. Texts can contain `$now`, in the
   * form of the times of `fields`, `$today`, and fields of the request, of the record before the action and of the user
   * who asks: `{ doneAt: '$now', note: '$body.note', was: '$record.state', by: '$user.name' }`; `$id` is the record's.
   */
  set?: string | Readonly<Record<string, Json>>
  /** The number that grows. */
  increment?: string
  /** The growth of `increment`. @default 1 */
  by?: number
  /** Whether the value is the id of the user who asks; a request without a user is 401. @default false */
  viewer?: boolean
  /** The value of `add`, `remove`, `toggle` and `set`. */
  value?: Json
  /** Whether a record that has the values of `set` stays as it is, so that a second like does not count. @default false */
  once?: boolean
  /** A new record of another collection, with the variables of `set`; the response shows the new record (201). */
  create?: { in: string; fields: Readonly<Record<string, Json>> }
  /** Whether only the owner of the record, by `owners` of `auth`, can run the action. @default false */
  owner?: boolean
  /** Whether the action changes the timestamps that `fields` sets. @default true */
  touch?: boolean
  /** The values of fields, one or a list, that the record has to have; another record is 409: `{ status: ['open'] }`. */
  when?: Readonly<Record<string, Json>>
  /** The text of the error if `when` refuses a record, with the variables of `set`: `is already $record.status`. */
  refused?: string
  /** The body of the response, with the dialect `rest`; null for 204. @default as for PATCH */
  answer?: Template
  /** The status of the response, beside `answer`. @default 200, and 204 without a body */
  status?: number
}

/** The option `actions` of a resource. */
export interface ActionOptions {
  actions?: Readonly<Record<string, string | ResourceAction>>
}

/** Returns the actions of a resource by method and name. A list under a name is a POST and a DELETE of the user who asks. */
export function actionsOf({ actions = {} }: ActionOptions): Record<string, ResourceAction> {
  return Object.fromEntries(
    Object.entries(actions).flatMap(([name, given]): [string, ResourceAction][] =>
      typeof given === 'string'
        ? [
            [`POST ${name}`, { add: given, viewer: true, touch: false }],
            [`DELETE ${name}`, { remove: given, viewer: true, touch: false }],
          ]
        : [[name, given]],
    ),
  )
}

/** Checks an action under its name. @throws MockError that names the option */
export function checkAction(subject: string, key: string, action: ResourceAction): void {
  if (!/^(?:POST|PUT|PATCH|DELETE) [^/\s]+$/.test(key)) {
    throw wrong(subject, 'it has to be a method and a name. Please write it as "POST favorite".')
  }
  checkOptions(subject, action, actionChecks)
  const { add, remove, set = {}, toggle, increment, viewer = false, value, answer } = action
  const { create, refused = null } = action
  const names = namesOf(setVariables)
  checkVariables(subject, 'set', typeof set === 'string' ? null : set, names)
  checkVariables(subject, 'refused', refused, names)
  if (create) {
    checkOptions(`${subject}, "create"`, create, { in: isName, fields: isObject }, ['in', 'fields'])
    checkVariables(subject, 'create', create.fields, names)
  }
  checkVariables(subject, 'answer', answer ?? null, namesOf(recordVariables))
  const effects = [add, remove, action.set, toggle, increment, create]
  if (effects.every((one) => one === undefined)) {
    throw wrong(
      subject,
      'it does nothing. Please give one of add, remove, toggle, set, increment, create.',
    )
  }
  const needsValue = [add, remove, typeof set === 'string' ? set : undefined]
  if (!viewer && value === undefined && needsValue.some((one) => one !== undefined)) {
    throw wrong(subject, 'it has no value. Please give "viewer": true, or a "value".')
  }
}

/** The values of {@link setVariables}. */
export type SetFacts = Record<'now' | 'today' | 'body' | 'record' | 'id' | 'user', Json>

/** The variables of `set`, `create` and `refused`. */
export const setVariables: readonly Variable<SetFacts>[] = (
  ['now', 'today', 'body', 'record', 'id', 'user'] as const
).map((name) => ({ name, value: (facts) => facts[name], schema: {} }))

const actionChecks: Readonly<Record<keyof ResourceAction, Check>> = {
  add: isName,
  remove: isName,
  toggle: isName,
  set: isEither(isName, isObject),
  increment: isName,
  by: [Number.isFinite, 'a number'],
  viewer: isFlag,
  value: [() => true, 'a value'],
  once: isFlag,
  create: isObject,
  owner: isFlag,
  touch: isFlag,
  when: isObject,
  refused: isName,
  answer: isTemplate,
  status: isStatus(200, 299),
}
