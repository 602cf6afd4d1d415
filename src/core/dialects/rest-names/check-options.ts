import {
  checkVariables,
  isTemplate,
  namesOf,
  type Template,
  variablesOf,
} from '../../text/template.ts'
import {
  type Check,
  checkOptions,
  isCount,
  isEither,
  isFalse,
  isFlag,
  isHeaderName,
  isHeaderValue,
  isListOf,
  isMapOf,
  isName,
  isObject,
  isOneOf,
  isStatus,
  isText,
  wrong,
} from '../../errors/check.ts'
import { ownValue } from '../../json/json.ts'
import { isOperator, operatorNames } from './filters.ts'
import { parameterNames } from '../rest/spelling.ts'
import { levelsOf } from './envelope.ts'
import { keyStyles, type ResourceNames, type RestNames } from './options.ts'
import { patternVariables } from './pattern.ts'
import {
  errorVariables,
  faultVariables,
  listVariables,
  nameVariables,
  reasonVariables,
  recordVariables,
} from './variables.ts'

/** Checks the options and the variables in templates. @throws MockError with the nearest name or the valid values */
export function checkRestOptions(options: RestNames): void {
  checkOptions(subject, options, checks)
  const { parameters = {}, filters = [], filterGroups = [], headers = {} } = options
  checkOptions(`"parameters" in ${subject}`, parameters, {
    ...Object.fromEntries(parameterNames.map((name) => [name, isParameter])),
    '*': isFalse,
  })
  checkBodies(options)
  for (const [name, own] of Object.entries(options.resources ?? {})) {
    checkOptions(`"resources.${name}" in ${subject}`, own, resourceChecks)
    checkBodies(own, `resources.${name}.`)
  }
  for (const [name, text] of Object.entries(headers)) {
    if (!isHeaderName[0](name)) throw wrong(subject, `"headers" cannot have the name "${name}".`)
    checkVariables(subject, 'headers', text, [...listNames, ...recordNames])
  }
  for (const option of ['errors', 'messages', 'reasons'] as const) {
    const known = option === 'reasons' ? namesOf(reasonVariables) : errorNames
    for (const [name, template] of Object.entries(options[option] ?? {})) {
      checkVariables(subject, `${option}.${name}`, template, known)
    }
  }
  const patterns = [...Object.values(parameters).flat(), ...filters, ...filterGroups]
  for (const text of patterns) {
    if (typeof text === 'string') checkPattern(text)
  }
  for (const text of [...filters, ...filterGroups]) {
    if (!patternVariables(text).includes('field')) {
      throw wrong(subject, `the filter "${text}" has no "$field". Please say where the field is.`)
    }
  }
  checkNames(parameters)
}

const listNames = namesOf(listVariables)
const recordNames = namesOf(recordVariables)
const errorNames = namesOf(errorVariables)

const subject = 'the options of "rest"'

const isMediaType: Check = [
  (value) =>
    typeof value === 'string' && /^[\w.+-]+\/[\w.+-]+(?:;|$)/.test(value) && isHeaderValue(value),
  'a media type, such as application/json',
]

/** The checks of the options that single resources can have. */
const resourceChecks: Readonly<Record<keyof ResourceNames, Check>> = {
  pages: isObject,
  hidden: isListOf(isName),
  unlisted: isListOf(isName),
  path: [
    (value) => typeof value === 'string' && /^\/[^?#]*$/.test(value),
    'a path such as /items/$resource',
  ],
  list: isTemplate,
  page: isTemplate,
  range: isTemplate,
  cursor: isTemplate,
  item: isTemplate,
  record: isTemplate,
  body: isTemplate,
  created: isTemplate,
  updated: isTemplate,
  removed: isTemplate,
  statuses: isMapOf(isStatus(200, 599)),
}

/** The check of every option; `preset` is checked where it is looked up. */
const checks: Readonly<Record<keyof RestNames | 'preset', Check>> = {
  ...resourceChecks,
  preset: [() => true, 'a preset, such as laravel from "fixtura/dialects"'],
  parameters: isObject,
  filters: isListOf(isName),
  filterGroups: isListOf(isName),
  operators: isMapOf([
    isOperator,
    `an operator, also with "not " in front: ${operatorNames.join(', ')}`,
  ]),
  separator: isName,
  joins: isFlag,
  embedIn: isName,
  foreignKeySuffix: isText,
  grammar: isOneOf('json', 'expression'),
  resources: isMapOf(isObject),
  error: isTemplate,
  invalid: isTemplate,
  errors: isMapOf(isTemplate),
  messages: isMapOf(isText),
  codes: isMapOf(isText),
  reasons: isMapOf(isText),
  fault: isTemplate,
  headers: isMapOf(isText),
  put: isOneOf('replace', 'merge'),
  bulk: isFlag,
  type: isMediaType,
  errorType: isMediaType,
  key: isOneOf(...keyStyles),
  auth: isObject,
}

const isParameter = isEither(isName, isListOf(isName), isFalse)

const pageChecks: Readonly<Record<string, Check>> = {
  first: [(value) => value === 0 || value === 1, '0 or 1'],
  size: isCount,
  max: isCount,
  all: isName,
  always: isFlag,
  by: isOneOf('number', 'offset', 'cursor'),
  invalid: isOneOf('error', 'missing', 'first'),
  beyond: isOneOf('empty', 'missing'),
  sizeInLinks: isFlag,
  omitFirstPage: isFlag,
}

/** The names of variables that each template can use. */
const variables: Readonly<Partial<Record<keyof RestNames, readonly string[]>>> = {
  list: listNames,
  page: listNames,
  range: listNames,
  cursor: listNames,
  item: recordNames,
  record: recordNames,
  body: ['record', ...namesOf(nameVariables)],
  created: recordNames,
  updated: recordNames,
  removed: recordNames,
  error: errorNames,
  invalid: errorNames,
  fault: namesOf(faultVariables),
}

/** The variables that patterns of filters and of other parameters can have. */
const patternNames = ['field', 'op', 'value', 'order', 'relation', 'fields', 'resource']

/** Checks the pages, and the variables in the templates of bodies. */
function checkBodies(options: RestNames, place = ''): void {
  checkOptions(`"${place}pages" in ${subject}`, options.pages ?? {}, pageChecks)
  for (const [option, known] of Object.entries(variables)) {
    const template = options[option as keyof typeof variables] as Template | undefined
    if (template !== undefined) checkVariables(subject, place + option, template, known)
  }
  if (options.body !== undefined) checkBody(options.body, `${place}body`)
}

/** @throws MockError for a body that does not have `$record` once, as a whole value */
function checkBody(body: Template, place: string): void {
  const uses = variablesOf(body).filter((name) => name === 'record').length
  const problem = uses > 1 ? 'has "$record" twice' : 'has no "$record" as a value'
  if (uses === 1 && levelsOf(body, 'record')) return
  throw wrong(subject, `"${place}" ${problem}. Please write one, as in { "data": "$record" }.`)
}

/** @throws MockError for a variable that no pattern has */
function checkPattern(text: string): void {
  const template = patternVariables(text).map((name) => `$${name}`)
  checkVariables(subject, text, template, patternNames)
}

/** @throws MockError for two parameters of one name */
function checkNames(parameters: NonNullable<RestNames['parameters']>): void {
  const owners: Record<string, string> = {}
  for (const [parameter, given] of Object.entries(parameters)) {
    for (const name of [given].flat()) {
      if (typeof name !== 'string') continue
      const other = ownValue(owners, name)
      if (other !== undefined) {
        throw wrong(
          subject,
          `"${other}" and "${parameter}" are both named "${name}". Please rename one.`,
        )
      }
      owners[name] = parameter
    }
  }
}
