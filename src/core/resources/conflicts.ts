import { createFindDuplicates } from '../behaviours/shared/duplicates.ts'
import { invalid } from '../behaviours/shared/invalid.ts'
import { isOn, isWrite } from '../behaviours/shared/coverage.ts'
import type { Behaviour } from '../http/contract/behaviour.ts'
import { ownValue } from '../json/json.ts'
import type { ResourceOptions, UniqueStatus } from './options.ts'

/** Creates the behaviour that refuses taken values with a status of their own, after all other checks. */
export function createConflicts(resources: Readonly<Record<string, ResourceOptions>>): Behaviour[] {
  const entries = Object.entries(resources).flatMap(([name, { unique }]) => {
    const groups = conflictsOf(unique)
    return groups.length > 0 ? [[name, groups] as const] : []
  })
  if (entries.length === 0) return []
  const byName = Object.fromEntries(entries)
  const conflicts: Behaviour = {
    name: 'resources',
    create() {
      const findDuplicates = createFindDuplicates()
      return {
        check(write, exchange, writes) {
          const { method } = exchange
          if (write.action === 'remove') return
          const found = (ownValue(byName, write.resource.name) ?? []).flatMap(
            ({ fields, status }) => {
              const issues = findDuplicates([fields], write, writes, exchange)
              return issues.map((issue) => ({ issue, status: statusOf(status, method) }))
            },
          )
          const [first] = found
          if (!first) return
          const same = found.filter(({ status }) => status === first.status)
          throw invalid(
            write,
            same.map(({ issue }) => issue),
            exchange,
            first.status,
          )
        },
        describe: () => ({
          records: Object.fromEntries(
            entries.map(([name, groups]) => [name, { unique: groups.map(({ fields }) => fields) }]),
          ),
          operation(operation) {
            const { method } = operation
            const own = entries.filter(([name]) => isOn(name, operation))
            if (!isWrite(operation) || own.length === 0) return undefined
            const statuses = own.flatMap(([, groups]) =>
              groups.map(({ status }) => statusOf(status, method)),
            )
            return {
              errors: Object.fromEntries(statuses.map((status) => [status, 'A value is taken.'])),
            }
          },
        }),
      }
    },
  }
  return [conflicts]
}

interface Conflict {
  fields: readonly string[]
  status: UniqueStatus
}

/** The groups of fields with a status of their own. */
function conflictsOf(unique: ResourceOptions['unique'] = []): Conflict[] {
  if (isList(unique)) return []
  return Object.entries(unique).map(([fields, status]) => ({
    fields: fields.split(',').map((field) => field.trim()),
    status,
  }))
}

/** All groups of fields that are unique. */
export function uniqueGroups(own: ResourceOptions): (readonly string[])[] {
  return [
    ...conflictsOf(own.unique).map(({ fields }) => fields),
    ...plainUnique(own).map((one) => [one].flat()),
  ]
}

/** The groups of fields without a status of their own. */
export function plainUnique({
  unique = [],
}: ResourceOptions): readonly (string | readonly string[])[] {
  return isList(unique) ? unique : []
}

function isList(
  unique: NonNullable<ResourceOptions['unique']>,
): unique is readonly (string | readonly string[])[] {
  return Array.isArray(unique)
}

function statusOf(status: UniqueStatus, method: string): number {
  if (typeof status === 'number') return status
  return ownValue<number>(status, method) ?? 422
}
