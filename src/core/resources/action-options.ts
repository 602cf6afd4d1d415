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

/** What an action does with the record. An action can do several things. */
export interface ResourceAction {
  /** The list that gets the value, once. */
  add?: string
  /** The list that loses the value. */
  remove?: string
  /** The list that gets the value or, if it has the value, loses it; without a value, the flag that is inverted. */
  toggle?: string
  /**
   * The fields that are set; with `viewer` or `value`, the field that gets the value. Texts can contain `$now`, in the
   * form of the times of `fields`, `$today`, and fields of the request: `{ doneAt: '$now', note: '$body.note' }`.
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
  /** Whether only the owner of the record, by `owners` of `auth`, can run the action. @default false */
  owner?: boolean
  /** Whether the action changes the timestamps that `fields` sets. @default true */
  touch?: boolean
  /** The values of fields, one or a list, that the record has to have; another record is 409: `{ status: ['open'] }`. */
  when?: Readonly<Record<string, Json>>
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
  checkVariables(subject, 'set', typeof set === 'string' ? null : set, namesOf(setVariables))
  checkVariables(subject, 'answer', answer ?? null, namesOf(recordVariables))
  const effects = [add, remove, action.set, toggle, increment]
  if (effects.every((one) => one === undefined)) {
    throw wrong(subject, 'it does nothing. Please give one of add, remove, toggle, set, increment.')
  }
  const needsValue = [add, remove, typeof set === 'string' ? set : undefined]
  if (!viewer && value === undefined && needsValue.some((one) => one !== undefined)) {
    throw wrong(subject, 'it has no value. Please give "viewer": true, or a "value".')
  }
}

/** The variables of `set`. */
export const setVariables: readonly Variable<Record<'now' | 'today' | 'body', Json>>[] = [
  { name: 'now', value: ({ now }) => now, schema: {} },
  { name: 'today', value: ({ today }) => today, schema: {} },
  { name: 'body', value: ({ body }) => body, schema: {} },
]

const actionChecks: Readonly<Record<keyof ResourceAction, Check>> = {
  add: isName,
  remove: isName,
  toggle: isName,
  set: isEither(isName, isObject),
  increment: isName,
  by: [Number.isFinite, 'a number'],
  viewer: isFlag,
  value: [() => true, 'a value'],
  owner: isFlag,
  touch: isFlag,
  when: isObject,
  answer: isTemplate,
  status: isStatus(200, 299),
}
