import { type Deviation, deviations1 } from './deviations.ts'

const shared = new Set([
  'server error',
  'encoding',
  'prototype',
  'value',
  'exposed headers',
  'many names',
  'infinite number',
])

/** The deliberate differences from json-server 1.0.0-beta.3, as docs/reference/json-server-differences.md lists them. */
export const deviations1Beta: readonly Deviation[] = [
  ...deviations1.filter(({ name }) => shared.has(name)),
  {
    name: 'head',
    request: 'HEAD of any resource',
    theirs: 'runs the handlers of all methods, so that HEAD of a record deletes the record',
    ours: 'the status and headers of GET',
    reason: 'data loss',
  },
  {
    name: 'repeated parameter',
    request: '`_sort`, `_start`, `_end`, `_limit`, `_page` or `_per_page` more than once',
    theirs: 'a 500 for `_sort`, usually an empty list for the others',
    ours: 'uses the first value',
    reason: 'no client can rely on it',
  },
  {
    name: 'singleton patch',
    request: 'PATCH of a singleton',
    theirs: 'moves the stored fields into a field `item`',
    ours: 'merges the body into the singleton, as later versions do',
    reason: 'data loss',
  },
  {
    name: 'sent id',
    request: 'POST with an `id` that is null, empty, a boolean, an array or an object',
    theirs: 'adds the record, which no path names',
    ours: 'draws an id for null and an empty text, otherwise 400',
    reason: 'data loss',
  },
  {
    name: 'existing id',
    request: 'POST with an `id` that another record has',
    theirs: 'adds a second record with this id',
    ours: '409',
    reason: 'data loss: only the first is found',
  },
  {
    name: 'number as id',
    request: 'a request for a record that was added with a number as its `id`',
    theirs: '404 until the next start, which turns the number into a text',
    ours: 'finds the record',
    reason: 'no client can rely on it',
  },
  {
    name: 'list as body',
    request: 'a body that is an array',
    theirs: 'stores an object with the indexes as fields',
    ours: '404',
    reason: 'data loss',
  },
  {
    name: 'dependent',
    request: '`dependent=comments` in DELETE',
    theirs: 'ignores the parameter, which has this name up to alpha.23',
    ours: 'reads it like `_dependent`',
    reason: 'a project with alpha.23 sends it',
  },
]
