/** A deliberate difference between a dialect and the server that it imitates. */
export interface Deviation {
  /** A short name, unique in its table. */
  name: string
  /** The affected requests. */
  request: string
  /** The behaviour of the imitated server. */
  theirs: string
  /** The behaviour of the dialect. */
  ours: string
  reason: string
}

/** The deliberate differences from json-server 0.17.4, as docs/reference/json-server-differences.md lists them. */
export const deviations0: readonly Deviation[] = [
  {
    name: 'server error',
    request:
      'any request that json-server answers with a 5xx: a repeated `_sort`, an existing id, a foreign key that is null',
    theirs: 'an error page with a stack trace, often after half of the write',
    ours: 'the intended result where it is clear, otherwise 400, 404 or 409 with problem details',
    reason: 'no client can rely on a server error',
  },
  {
    name: 'error page',
    request: 'a body that is not a JSON object, is too large, or has another charset than UTF-8',
    theirs: '400, 413 or 415 with an HTML page that contains a stack trace and file paths',
    ours: 'the same status with problem details',
    reason: 'security: the page reveals file paths',
  },
  {
    name: 'encoding',
    request: 'a body that is compressed, in UTF-16, or not valid UTF-8',
    theirs: 'decodes the body; U+FFFD replaces invalid UTF-8',
    ours: '415, or 400 for invalid UTF-8',
    reason: 'data loss; a compressed body can also be a decompression bomb',
  },
  {
    name: 'sweep',
    request: '`DELETE /posts/1`, even if there is no such post',
    theirs:
      'deletes every record, in all collections, whose foreign key references a missing record',
    ours: 'deletes the record and the records that reference it',
    reason: 'data loss',
  },
  {
    name: 'body of another type',
    request: 'a body whose `Content-Type` is neither JSON nor a form',
    theirs: 'treats the body as empty: POST adds an empty record, PUT clears a record',
    ours: '415; a body without a `Content-Type` is read as JSON',
    reason: 'data loss',
  },
  {
    name: 'list as record',
    request: 'POST with an array, or PUT or PATCH of a singleton with an array',
    theirs: 'stores the array as a record, or replaces the singleton with it',
    ours: '400',
    reason: 'data loss: later requests for records fail',
  },
  {
    name: 'pattern',
    request:
      '`_like` with a regular expression that has a backreference or a lookaround, needs more than 1000 states, or would take seconds on the data',
    theirs: 'can block the server, and with it all other requests, indefinitely',
    ours: '400; all other expressions take linear time',
    reason: 'security: denial of service',
  },
  {
    name: 'no delay',
    request: '`_delay=0`',
    theirs: 'waits for a second',
    ours: 'does not wait',
    reason: 'no client can rely on it',
  },
  {
    name: 'callback',
    request: '`?callback=name`',
    theirs: 'a script that passes the data to the function (JSONP)',
    ours: 'the data as JSON',
    reason: 'security: any website could read the data',
  },
  {
    name: 'prototype',
    request:
      'a resource, field or relation named like a member of `Object.prototype`, such as `constructor`',
    theirs: 'reads the inherited member',
    ours: 'ignores the inherited member; only the data counts',
    reason: 'security',
  },
  {
    name: 'kind of id',
    request: 'POST with an id that is `true`, an array or an object',
    theirs: 'adds the record, which only some requests find again',
    ours: '400',
    reason: 'data loss: json-server takes `[1]` and `1` for the same id',
  },
  {
    name: 'values',
    request: 'a write to an array with items that are not objects',
    theirs: 'usually a 5xx, otherwise adds a record to the values',
    ours: '404: such an array is read-only',
    reason: 'data loss',
  },
  {
    name: 'names in two cases',
    request: 'any request to `/posts` or `/Posts` if both exist',
    theirs:
      'handles the request, even a write, for both, and responds with the result of the second',
    ours: 'handles the request for the resource with the exact name',
    reason: 'data loss',
  },
  {
    name: 'schema key',
    request: '`GET /db` of a file with a `$schema` key',
    theirs: 'includes the key as a resource',
    ours: 'leaves the key out',
    reason: 'the key describes the file and is not data',
  },
  {
    name: 'home page',
    request: '`GET /`, and the scripts and styles of that page',
    theirs: 'an HTML page',
    ours: "the list of resources as JSON; for a browser, Fixtura's own page",
    reason: 'the page belongs to json-server',
  },
  {
    name: 'headers',
    request: 'the headers of any response',
    theirs: '`Pragma`, `Expires`, `X-Powered-By`, `X-Content-Type-Options`, and a weak `ETag`',
    ours: '`Cache-Control: no-cache` without the first four, and a strong `ETag`',
    reason: 'no client can rely on them',
  },
  {
    name: 'exposed headers',
    request: '`Access-Control-Expose-Headers` of any response',
    theirs:
      '`X-Total-Count` and `Link` in lists, `Location` after a POST; otherwise no such header',
    ours: 'the names of all headers that a response can have',
    reason: 'a page of another origin can read validators and reasons too',
  },
  {
    name: 'many names',
    request: 'more than 100 fields in `_sort`, or more than 100 relations in `_embed` or `_expand`',
    theirs: 'processes all of them for every record, however long it takes',
    ours: 'uses the first 100',
    reason: 'security: denial of service',
  },
  {
    name: 'infinite number',
    request: 'a body with a number too large for JavaScript: `1e400`',
    theirs: 'stores null instead',
    ours: '400',
    reason: 'data loss',
  },
]

/** The deliberate differences from json-server 1.0.0-beta.15, as docs/reference/json-server-differences.md lists them. */
export const deviations1: readonly Deviation[] = [
  {
    name: 'server error',
    request:
      'any request that json-server answers with a 5xx: invalid JSON, a body larger than 100 KiB, `_sort=a[`',
    theirs: 'plain text with the message of an exception',
    ours: 'the intended result where it is clear, otherwise 400, 404 or 413 as JSON; bodies up to 10 MiB',
    reason: 'no client can rely on a server error',
  },
  {
    name: 'encoding',
    request: 'a body that is not valid UTF-8, or is labelled as compressed but is not',
    theirs: 'decodes the body; U+FFFD replaces invalid UTF-8',
    ours: '400 for invalid UTF-8, 415 for a `Content-Encoding`',
    reason: 'data loss',
  },
  {
    name: 'head',
    request: 'HEAD of any resource',
    theirs: '400',
    ours: 'the status and headers of GET',
    reason: 'no client can rely on it',
  },
  {
    name: 'prototype',
    request:
      'a resource, field or relation named like a member of `Object.prototype`, such as `constructor`',
    theirs: 'reads the inherited member; a write pollutes the prototype of all objects',
    ours: 'ignores the inherited member; only the data counts',
    reason: 'security',
  },
  {
    name: 'missing parent',
    request: '`author.name=x` if a record has no `author`, or one that is not an object',
    theirs: 'returns the record, whatever the filter compares with',
    ours: 'does not return the record',
    reason: 'no client can rely on it',
  },
  {
    name: 'value',
    request: 'PUT or PATCH of a resource that is a number, a string, a boolean or null',
    theirs: 'replaces the value with an object',
    ours: '404: such a resource is read-only',
    reason: 'data loss',
  },
  {
    name: 'deep tree',
    request: '`_where` that is nested deeper than 500 levels',
    theirs: 'evaluates the filter until the call stack overflows',
    ours: '400',
    reason: 'security: denial of service',
  },
  {
    name: 'exposed headers',
    request: '`Access-Control-Expose-Headers` of any response',
    theirs: 'no such header',
    ours: 'the names of all headers that a response can have',
    reason: 'a page of another origin can read validators and reasons too',
  },
  {
    name: 'many names',
    request: 'more than 100 fields in `_sort`, or more than 100 relations in `_embed`',
    theirs: 'processes all of them for every record, however long it takes',
    ours: 'uses the first 100',
    reason: 'security: denial of service',
  },
  {
    name: 'infinite number',
    request: 'a body with a number too large for JavaScript: `1e400`',
    theirs: 'stores null instead',
    ours: '400',
    reason: 'data loss',
  },
]
