import type { CollectionView, Unused } from '../../dialects/contract/dialect.ts'
import { MockError } from '../../errors/mock-error.ts'
import { nearest, suggest } from '../../errors/nearest.ts'
import { ownValue } from '../../json/json.ts'
import type { Exchange, Routed } from '../contract/exchange.ts'
import { isSafe } from '../contract/messages.ts'
import { toCollectionView } from './record-view.ts'

/** Notes the parameters without effect on a write or on one record. @throws MockError 400 if strict */
export function noteUnusedParams(routed: Routed): void {
  const { params, method, target, service } = routed
  const isRead = isSafe(method)
  if (params.length === 0 || (isRead && target.kind === 'collection')) return
  const { dialect } = service
  if (isRead && target.kind !== 'document') {
    const seen = toCollectionView(routed, target.resource)
    return noteUnused(routed, dialect.parseMember(params, seen), seen)
  }
  const unused = dialect.unusedParams?.(params, method) ?? {}
  noteUnused(routed, unused, { name: target.resource.name, keys: () => new Set() })
}

/** Notes parameters without effect, for log and dialect. @throws MockError 400 with the known names if strict */
export function noteUnused(
  exchange: Exchange,
  { ignored = [], unknownFields = {}, known }: Partial<Unused>,
  { name, keys }: Pick<CollectionView, 'name' | 'keys'>,
): void {
  const [parameter] = ignored
  if (parameter === undefined) return
  if (exchange.service.strict) {
    const field = ownValue(unknownFields, parameter)
    if (field !== undefined) {
      throw unknownName(parameter, field, `"${name}" has no field "${field}"`, [...keys()])
    }
    throw known
      ? unknownName(parameter, parameter, 'it has no effect on this request', known)
      : unknownName(parameter, parameter, `"${name}" has no such field`, [...keys()])
  }
  exchange.ignored = ignored
  for (const [at, one] of ignored.entries()) {
    const hint = at < maxHints ? hintFor(one, ownValue(unknownFields, one), keys) : ''
    exchange.reasons.push(`ignored "${one}"${hint}`)
  }
}

/** A hint compares a name with all fields, so that only the first parameters get one. */
const maxHints = 5

/** Says in the log which field an ignored parameter names, and suggests the nearest field. */
function hintFor(
  parameter: string,
  field: string | undefined,
  keys: CollectionView['keys'],
): string {
  const near = nearest(field ?? parameter, keys())
  const suggestion = near === undefined ? '' : `did you mean "${near}"?`
  if (field === undefined) return suggestion && `: ${suggestion}`
  return `: no field "${field}"${suggestion && `, ${suggestion}`}`
}

function unknownName(
  parameter: string,
  name: string,
  reason: string,
  known: readonly string[],
): MockError {
  const subject = name === parameter ? '' : `"${name}" `
  return new MockError(`Failed to read "${parameter}": ${reason}. ${suggest(name, known)}`, {
    status: 400,
    code: 'PARAMETER_UNKNOWN',
    errors: { [parameter]: `${subject}is unknown; known: ${known.join(', ') || 'none'}` },
  })
}
