import { conditionsOf, toWhere } from '../dialects/rest/where.ts'
import { wrong } from '../errors/check.ts'
import { suggest } from '../errors/nearest.ts'
import type { Service } from '../http/contract/service.ts'
import { isSame, ownValue } from '../json/json.ts'
import type { Path } from '../json/path.ts'
import type { Collection } from '../store/records/collection.ts'
import type { RecordDescription } from '../types/record-description.ts'
import { actionsOf } from './action-options.ts'
import { anyCollection, pathOfRule } from './computed.ts'
import { uniqueGroups } from './conflicts.ts'
import { hiddenField } from './derived-view.ts'
import { toFilterRule } from './filter-rule.ts'
import { listOf, type ResourceOptions, subjectOf } from './options.ts'

/** Checks the fields and relations that the options name against the data. @throws MockError with the nearest name */
export type DataCheck = (
  service: Pick<Service, 'store' | 'links' | 'rules' | 'resources'>,
  describe: (resource: string) => readonly RecordDescription[],
) => void

/** Creates the check of paths in the option `resources`. A collection that never had a record is not checked. */
export function createDataCheck(resources: Readonly<Record<string, ResourceOptions>>): DataCheck {
  return ({ store, links, rules, resources: named }, describe) => {
    for (const [name, own] of Object.entries(resources)) {
      const check = (option: string, path: Path, problem = isPath(name, path)): void => {
        if (problem !== undefined) throw wrong(`"${option}" of ${subjectOf(name)}`, problem)
      }
      const { view, distinct } = rules[name] ?? {}
      if (view ?? distinct) checkSource(name, view?.of ?? distinct?.of ?? '')
      for (const { create } of Object.values(actionsOf(own))) {
        if (create) checkCollection(`an action of ${subjectOf(name)}`, create.in)
      }
      const place = `resources.${name}.where`
      const where = own.where && toWhere(own.where, anyCollection, place)
      for (const { path } of where ? conditionsOf(where) : []) check('where', path)
      for (const field of own.hidden ?? []) check('hidden', [field])
      for (const field of uniqueGroups(own).flatMap(({ fields }) => fields)) {
        check('unique', field.split('.'))
      }
      if (distinct) check('distinct', distinct.path, isPath(distinct.of, distinct.path))
      for (const path of listOf(own.embed).map((text) => text.split('.'))) {
        check('embed', path, isRelations(name, path))
      }
      for (const [field, rule] of Object.entries(own.computed ?? {})) {
        if (typeof rule !== 'function') check(`computed.${field}`, pathOfRule(rule))
      }
      for (const [filter, option] of Object.entries(own.filters ?? {})) {
        for (const { path } of toFilterRule(option).targets) check(`filters.${filter}`, path)
      }
      const { slug } = own
      if (slug !== undefined) check('slug', [typeof slug === 'string' ? slug : slug.from])
      for (const { path } of rules[name]?.sort ?? []) if (path.length > 0) check('sort', path)
    }

    function checkSource(name: string, of: string): void {
      const subject = subjectOf(name)
      if (store.resources.has(name)) {
        const reason = `a fixture has the same name, and "view" and "distinct" need none.`
        throw wrong(subject, `${reason} Please use another name.`)
      }
      checkCollection(subject, of)
    }

    function checkCollection(subject: string, of: string): void {
      if (store.resources.get(of)?.kind === 'collection') return
      throw wrong(
        subject,
        `there is no collection "${of}". ${suggest(of, [...store.resources.keys()])}`,
      )
    }

    function collectionOf(name: string): Collection | undefined {
      const resource = named.get(name)
      return resource?.kind === 'collection' && resource.keys().size > 0 ? resource : undefined
    }

    function relationNames(name: string): string[] {
      const { parentsOf } = links.relations()
      return [...new Set([...parentsOf(name).map(({ alias }) => alias), ...links.childNames(name)])]
    }

    /** Returns what is wrong with a path of relations; undefined if every name is a relation. */
    function isRelations(name: string, [first, ...rest]: Path): string | undefined {
      if (first === undefined || !collectionOf(name)) return undefined
      const found = links.find(name, first)
      if (found) return isRelations(found.collection, rest)
      return `"${name}" has no relation "${first}". ${suggest(first, relationNames(name))}`
    }

    /** Returns what is wrong with a path of fields and relations; undefined if a record can have a value there. */
    function isPath(name: string, path: Path): string | undefined {
      const collection = collectionOf(name)
      const [first, ...rest] = path
      if (first === undefined || !collection || collection.hasPath(path)) return undefined
      const found = links.find(name, first)
      if (found) return isPath(found.collection, rest)
      const set = namesSet(name)
      if (set.includes(first) || describe(name).some((one) => one.names?.(path))) return undefined
      const known = [...new Set([...collection.keys(), ...relationNames(name), ...set])]
      const text = path.join('.')
      return collection.hasPath([first])
        ? `no record of "${name}" has a value at "${text}". Please correct the path.`
        : `"${name}" has no field or relation "${first}". ${suggest(first, known)}`
    }

    function namesSet(name: string): string[] {
      const own = ownValue(resources, name) ?? {}
      const actionFields = Object.values(actionsOf(own)).flatMap(
        ({ add, toggle, increment, set }) => [
          ...[add, toggle, increment].filter((field) => field !== undefined),
          ...(typeof set === 'string' ? [set] : Object.keys(set ?? {})),
        ],
      )
      return [
        ...Object.keys(own.computed ?? {}),
        ...actionFields,
        ...describe(name).flatMap(({ fields = {} }) =>
          // That a field is hidden says nothing about its existence.
          Object.keys(fields).filter((field) => !isSame(fields[field], hiddenField)),
        ),
      ]
    }
  }
}
