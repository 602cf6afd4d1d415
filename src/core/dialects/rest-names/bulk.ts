import { MockError } from '../../errors/mock-error.ts'
import { isRecord } from '../../json/json.ts'
import { scalarText } from '../../json/scalar-text.ts'
import type { Change, Serve } from '../contract/dialect.ts'

/** Handles PATCH and DELETE of a list: of the records in `keys`, or of an array of ids or records. */
export const changeMany: Serve = (call, data) => {
  const { name } = call.target ?? { name: '' }
  const isRemoval = call.method === 'DELETE'
  const body = call.text === '' ? null : call.json()
  const { keys = body, data: fields } = isRecord(body) ? body : {}
  if (!Array.isArray(keys)) {
    const reason = 'it has to be an array, or an object with "keys"'
    const message = `Failed to read the body: ${reason}. Please send { "keys": [1, 2], "data": {} }.`
    throw new MockError(message, { status: 400, code: 'BODY_INVALID' })
  }
  const changes = [...new Set(keys)].map((one, place): Change => {
    const key = isRecord(one) ? one[data.idField(name)] : one
    const id = scalarText(key)
    const previous = data.editable(name, id)
    const own = isRecord(one) ? one : isRecord(fields) ? fields : {}
    return isRemoval
      ? { action: 'remove', name, id, place, hasDependents: true, asksPermission: true }
      : { action: 'patch', name, id, place, record: { ...previous, ...own }, asksPermission: true }
  })
  return {
    changes,
    answer: (records) =>
      isRemoval
        ? { type: 'record', action: 'removed', record: {} }
        : { type: 'list', records, total: records.length, asked: { query: {}, ignored: [] } },
  }
}
