import { createFindDuplicates } from '../behaviours/shared/duplicates.ts'
import { invalid } from '../behaviours/shared/invalid.ts'
import { isOn, isWrite } from '../behaviours/shared/coverage.ts'
import type { Behaviour } from '../http/contract/behaviour.ts'
import { ownValue } from '../json/json.ts'
import type { ResourceOptions, UniqueStatus } from './options.ts'

/** Creates the behaviour that refuses taken values with a status of their own, after all other checks. */
export function createConflicts(resources: Readonly<Record<string, ResourceOptions>>): Behaviour[] {
  const entries = Object.entries(resources).flatMap(([name, own]) => {
    const groups = uniqueGroups(own).filter(({ status }) => status !== undefined)
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

/** Fields whose values no two records share, and the status of a write with taken values, if it has one. */
interface UniqueGroup {
  fields: readonly string[]
  status: UniqueStatus | undefined
}

/** The groups of fields that are unique. */
export function uniqueGroups({ unique = [] }: ResourceOptions): UniqueGroup[] {
  const isList = (given: typeof unique): given is readonly (string | readonly string[])[] =>
    Array.isArray(given)
  if (isList(unique)) return unique.map((one) => ({ fields: [one].flat(), status: undefined }))
  return Object.entries(unique).map(([fields, status]) => ({
    fields: fields.split(',').map((field) => field.trim()),
    status,
  }))
}

function statusOf(status: UniqueStatus | undefined, method: string): number {
  return typeof status === 'number' ? status : (ownValue<number>(status ?? {}, method) ?? 422)
}
