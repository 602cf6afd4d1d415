import type { Deviation } from './deviations.ts'

/** The deliberate differences of `json-api` from JSON:API 1.1, as docs/speak/json-api.md lists them. */
export const deviationsJsonApi: readonly Deviation[] = [
  {
    name: 'field of a reserved name',
    request: 'a field named `type`, or a field `id` beside another id field',
    theirs: 'no attribute has this name',
    ours: 'the attribute is named after the record: `petType`, `petId`',
    reason: 'the data has such fields; nothing is lost',
  },
  {
    name: 'names of fields',
    request: 'a field whose name is no member name, such as `first.name` or `$ref`',
    theirs: 'such a name must not be used',
    ours: 'the name is sent as it is',
    reason: 'the fixtures decide; a rename would not be found again',
  },
  {
    name: 'field and relationship',
    request:
      'a field with the name of a relationship, such as a number `comments` beside a collection',
    theirs: 'both share one namespace',
    ours: 'the relationship is sent, the field is not',
    reason: 'a client can follow the relationship',
  },
  {
    name: 'a value',
    request: 'a fixture that is a list of texts, a number or another plain value',
    theirs: 'documents contain resources',
    ours: 'the value is in `meta.value`',
    reason: 'a plain value has no type and no id',
  },
  {
    name: 'links of a singleton',
    request: 'a relationship of a singleton',
    theirs: 'may have links',
    ours: 'has `data` alone',
    reason: 'no path below a singleton exists',
  },
]
