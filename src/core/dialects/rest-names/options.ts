import type { Dialect } from '../contract/dialect.ts'
import type { Template } from '../../text/template.ts'
import type { ParameterName } from '../rest/spelling.ts'

/** The options of `rest`, which creates a dialect with the parameters, bodies and keys of an existing API. */
export interface RestOptions extends RestNames {
  /** A preset such as `laravel`, whose options these options replace. */
  preset?: Dialect
}

/** The options of `rest` in a configuration file: `"dialect": { "rest": { "preset": "laravel" } }`. */
export interface RestFileOptions extends RestNames {
  /** The name of a preset, whose options these options replace. */
  preset?: PresetName
}

/** The name of a preset: options that imitate the responses of a framework. */
export type PresetName =
  | 'laravel'
  | 'django-rest-framework'
  | 'spring-data-rest'
  | 'nestjsx-crud'
  | 'strapi'
  | 'directus'
  | 'pocketbase'

/** The options of `rest` as JSON has them, in which a preset is a name. */
export interface RestNames extends ResourceNames {
  /**
   * The names of parameters: `{ page: 'page[number]', limit: 'page[size]', sort: 'ordering' }`; a list for
   * several names, false for a parameter that does not exist. `sort` and `embed` can say how one value is
   * written: `'sort=$field,$order'`, `'order[$field]=$order'`, `'join=$relation||$fields'`; `$$` is a dollar
   * sign: `'$$top'`. `'*': false` leaves out those that are not named; otherwise they keep the names of `rest`, such as `_page`; `count` has no name there.
   */
  parameters?: Partial<Record<ParameterName, string | readonly string[] | false>> & { '*'?: false }
  /**
   * How filters are written: `'$field'`, `'$field__$op'`, `'filter[$field]'`, `'filter[$field][$op]'`,
   * `'filter=$field||$op||$value'`. @default ['$field', '$field:$op', '$field_$op']
   */
  filters?: readonly string[]
  /** The filters of which a record has to match any, written in the same way: `'or=$field||$op||$value'`. */
  filterGroups?: readonly string[]
  /**
   * The operators of filters by their names on the wire: `{ $cont: 'contains', $excl: 'not contains' }`; the
   * empty name is the operator of a filter without an operator. Besides those of `rest` there are `ieq` (equal,
   * ignoring case), `null` and `between`, and `not` in front of each. @default the operators of `rest`
   */
  operators?: Readonly<Record<string, string>>
  /** Whether filters, sort orders and fields reach into related records: `author.name`, `author.*`. @default false */
  joins?: boolean
  /** The suffix of foreign keys if the mock names none: an empty one for keys such as `author` and `tags`, too. */
  foreignKeySuffix?: string
  /** How a whole filter (the parameter `where`) is written: as JSON, or as `views > 5 && title ~ 'x'`. @default 'json' */
  grammar?: 'json' | 'expression'
  /** The key of a record that holds its embedded records: `expand`. @default the record itself */
  embedIn?: string
  /** The text between the names of a nested field: `__` for `author__name`. @default '.' */
  separator?: string
  /**
   * The pages and bodies of single resources by name, in place of those of all: `{ tags: { list: '$items' } }`;
   * of nested lists alone with the parent in front: `users/:id/tags`. A body that a resource does not give
   * follows its own `list` or `record`, if it has one.
   */
  resources?: Readonly<Record<string, ResourceNames>>
  /** The body of an error: `{ message: '$detail' }`. @default problem details (RFC 9457) */
  error?: Template
  /** The body of an error of fields: `{ message: '$detail', errors: '$errors' }`. @default `error` */
  invalid?: Template
  /** The bodies of errors by status or code, in place of `error`; null for no body: `{ 404: null }`. */
  errors?: Readonly<Record<string, Template>>
  /** The texts of errors by status or code, as `$detail` has them: `{ 404: 'Not found.' }`. */
  messages?: Readonly<Record<string, string>>
  /**
   * The texts of errors of a field, by a keyword of JSON Schema, also with its value, or by the reason of the mock,
   * in which `*` stands for any text:
   * `{ minLength: 'At least $limit characters.', 'type:string': 'Not a string.', '*': 'The $field field $reason.' }`.
   */
  reasons?: Readonly<Record<string, string>>
  /** The names of errors and faults, as `$code`, by status, code or keyword: `{ 404: 'NotFoundError' }`. */
  codes?: Readonly<Record<string, string>>
  /** Each fault in `$faults`: `{ field: '$field', message: '$message' }`. @default '$field $message' */
  fault?: Template
  /**
   * Headers: `{ 'X-Total': '$total' }`; a header whose variable has no value is not sent.
   * @default X-Total-Count, Content-Range, Link and Location, as in `rest`
   */
  headers?: Readonly<Record<string, string>>
  /** Whether PUT replaces a record or merges the sent fields into it. @default 'replace' */
  put?: 'replace' | 'merge'
  /** Whether PATCH and DELETE of a list change several records: `{ keys: [1, 2], data: { read: true } }`. @default false */
  bulk?: boolean
  /** The media type of successes. @default 'application/json' */
  type?: string
  /** The media type of errors. @default 'application/problem+json' without `error`, otherwise 'application/json' */
  errorType?: string
  /**
   * The spelling of keys on the wire, both ways and at any depth: records are stored as fixtures spell them.
   * @default as stored
   */
  key?: KeyStyle
  /** The options of the behaviour `auth` that the API implies, such as paths and answers; those of `auth` win. */
  auth?: Readonly<Record<string, unknown>>
}

/** The options of `rest` that single resources can have. */
export interface ResourceNames {
  /** The path below the base: `/items/$resource`. @default '/$resource' */
  path?: string
  /** The pages of lists. */
  pages?: PageOptions
  /** The fields of records that responses leave out; filters and nested paths know them. @default [] */
  hidden?: readonly string[]
  /** The fields of records that lists leave out: `['body']`. @default [] */
  unlisted?: readonly string[]
  /** The body of a list: `{ data: '$items', meta: { total: '$total' } }`. @default '$items' */
  list?: Template
  /** The body of a page by number or index. @default `list` */
  page?: Template
  /** The body of a page by index. @default `page` */
  range?: Template
  /** The body of a page by cursor. @default `page` */
  cursor?: Template
  /** Each record, in lists and alone: `{ '...': '$record', url: '$url' }`. @default '$record' */
  item?: Template
  /** The body of a single record: `{ data: '$record' }`. @default '$record' */
  record?: Template
  /**
   * The body of a POST, a PUT and a PATCH, as an envelope (`{ data: '$record' }`), or `'$record'` for a record
   * without an envelope. @default both are allowed: the envelope of `record`, and a record without it
   */
  body?: Template
  /** The body of a response to POST; null for a response without a body. @default `record` */
  created?: Template
  /** The body of a response to PUT and PATCH; null for 204. @default `record` */
  updated?: Template
  /** The body of a response to DELETE; null for 204. @default `record` */
  removed?: Template
  /**
   * Other statuses, by the status or code of an error, `created`, `updated` or `removed`:
   * `{ 422: 400, LOGIN_FAILED: 422, removed: 200 }`.
   */
  statuses?: Readonly<Record<string, number>>
}

/** The option `pages`: how lists are divided into pages. */
export interface PageOptions {
  /** The number of the first page. @default 1 */
  first?: 0 | 1
  /** The number of records of a page, if a request does not say. @default 10 */
  size?: number
  /** The size that stands for all records: `-1`. */
  all?: string
  /** The highest number of records of a page; a request for more gets this number. */
  max?: number
  /** Whether a list is paged without parameters. @default false */
  always?: boolean
  /**
   * What links to the other pages name if the request names no page: a number, the index of the first record, or a
   * cursor. @default 'number'
   */
  by?: 'number' | 'offset' | 'cursor'
  /** A page that is no number: an error 400, an error 404, or the first page. @default 'error' */
  invalid?: 'error' | 'missing' | 'first'
  /** A page after the last: an empty list, or an error 404. @default 'empty' */
  beyond?: 'empty' | 'missing'
  /** Whether links to pages also say how many records a page has. @default false */
  sizeInLinks?: boolean
  /** Whether links to the first page leave out its number. @default false */
  omitFirstPage?: boolean
}

/** The spellings of keys that the option `key` can have. */
export const keyStyles = ['camelCase', 'snake_case', 'kebab-case', 'PascalCase'] as const

/** How the words of a key are joined. */
export type KeyStyle = (typeof keyStyles)[number]
