import { define, type JsonRecord } from '../json/json.ts'
import type { BoundCollection } from './binding.ts'
import { objectOf, valueTypeOf } from '../json/flat-schema.ts'
import type { Tools } from './project.ts'

const stampNames = {
  create:
    /^(?:created|updated|modified|last_?modified|created_?on|inserted)(?:_?(?:at|date|on|time))?$|^date_?created$/i,
  update: /^(?:updated|modified|last_?modified|last_?updated)(?:_?(?:at|date|on|time))?$/i,
}

/** Sets the times of a write: on a new record where they are missing, on an update where they are. */
export function stamp(
  record: JsonRecord,
  { record: schema }: BoundCollection,
  now: number,
  { flatten }: Tools,
  kind: 'create' | 'update',
): void {
  const flat = schema && objectOf(schema, flatten)
  for (const [key, [property]] of flat?.properties ?? []) {
    if (!property || !stampNames[kind].test(key)) continue
    if (kind === 'create' ? Object.hasOwn(record, key) : !Object.hasOwn(record, key)) continue
    const inner = flatten(property)
    const type = valueTypeOf(inner)
    const { format } = inner.limits
    const iso = new Date(now).toISOString()
    if (type === 'integer') define(record, key, Math.floor(now / 1000))
    else if (type === 'string' && format === 'date') define(record, key, iso.slice(0, 10))
    else if (type === 'string' && format === 'date-time') define(record, key, iso)
  }
}
