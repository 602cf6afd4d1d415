import { suggest } from '../../errors/nearest.ts'
import { define, type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import type { Embed } from '../../query/tree.ts'
import type { Params } from '../../url/params.ts'
import type { Data, LinkedResource } from '../contract/dialect.ts'
import { wrongParameter } from '../shared/wrong-parameter.ts'
import { idText, memberOf, typeOf } from './names.ts'
import { parsePresentation } from './parameters.ts'

/** Creates the resource objects and documents of a response of JSON:API 1.1 by the parameters of the request. */
export function createWriter(data: Data, params: Params): Writer {
  const { include, fields } = parsePresentation(params)
  const names = data.names()
  const shapes = new Map<string, Shape>()

  function shapeOf(resource: string): Shape {
    const before = shapes.get(resource)
    if (before) return before
    const source = data.sourceOf(resource)
    const relations = data.relationsOf(source)
    const type = typeOf(source, names)
    const wanted = fields.get(type)
    const shape: Shape = {
      source,
      type,
      idField: data.idField(source),
      isSingleton: data.kindOf(source) === 'singleton',
      relations: relations.filter(({ name }) => wanted?.has(name) ?? true),
      hidden: new Set(relations.flatMap(({ name, keys = [] }) => [name, ...keys])),
      wanted,
    }
    shapes.set(resource, shape)
    return shape
  }

  function idOf({ source, idField, isSingleton }: Shape, record: JsonRecord): string {
    const id = ownValue(record, idField)
    // A singleton needs no id, but every resource object has one ("Identification").
    return idText(id) || (isSingleton ? source : '')
  }

  function pathOf(shape: Shape, record: JsonRecord): string {
    const path = `/${encode(shape.source)}`
    return shape.isSingleton ? path : `${path}/${encodeURIComponent(idOf(shape, record))}`
  }

  function identify(resource: string, record: JsonRecord): Identifier {
    const shape = shapeOf(resource)
    return { type: shape.type, id: idOf(shape, record) }
  }

  function linkage(resource: string, record: JsonRecord, relation: LinkedResource): Linkage {
    const found = data
      .related(resource, record, relation.name)
      .map((one) => identify(relation.collection, one))
    return relation.isMany ? found : (found[0] ?? null)
  }

  function linksOf(resource: string, record: JsonRecord, relation: string): JsonRecord {
    const path = pathOf(shapeOf(resource), record)
    return {
      self: data.toUrl(`${path}/relationships/${encodeURIComponent(relation)}`),
      related: data.toUrl(`${path}/${encodeURIComponent(relation)}`),
    }
  }

  function toResource(
    resource: string,
    record: JsonRecord,
    followed?: ReadonlySet<string>,
  ): ResourceObject {
    const shape = shapeOf(resource)
    const { source, idField, hidden, wanted } = shape
    const attributes: JsonRecord = {}
    for (const [field, value] of Object.entries(record)) {
      if (field === idField || hidden.has(field)) continue
      const member = memberOf(field, source)
      if (wanted?.has(member) ?? true) define(attributes, member, value)
    }
    const relationships: JsonRecord = {}
    for (const relation of shape.relations) {
      const { name } = relation
      // Linkage from included resources back to many others is needed only where `include` follows it.
      const isLinked = !followed || relation.keys || followed.has(keyOf([source, name]))
      define(relationships, name, {
        ...(!shape.isSingleton && { links: linksOf(resource, record, name) }),
        ...((isLinked || shape.isSingleton) && { data: linkage(resource, record, relation) }),
      })
    }
    return {
      type: shape.type,
      id: idOf(shape, record),
      ...(Object.keys(attributes).length > 0 && { attributes }),
      ...(Object.keys(relationships).length > 0 && { relationships }),
      links: { self: data.toUrl(pathOf(shape, record)) },
    }
  }

  /** The resources that `include` adds: each once, none of the primary data ("Compound Documents"). */
  function toIncluded(
    resource: string,
    records: readonly JsonRecord[],
    primary: readonly Identifier[],
  ): { included?: ResourceObject[] } {
    if (!include) return {}
    const known = new Set(primary.map(({ type, id }) => keyOf([type, id])))
    const followed = new Set<string>()
    const found: [resource: string, record: JsonRecord][] = []
    const walk = (name: string, from: readonly JsonRecord[], embeds: readonly Embed[]): void => {
      for (const { name: relation, embed } of embeds) {
        const { collection } = findRelation(data, name, relation)
        followed.add(keyOf([name, relation]))
        const related = new Set(from.flatMap((record) => data.related(name, record, relation)))
        for (const record of related) {
          const { type, id } = identify(collection, record)
          const key = keyOf([type, id])
          if (!known.has(key)) found.push([collection, record])
          known.add(key)
        }
        walk(collection, [...related], embed)
      }
    }
    walk(data.sourceOf(resource), records, include)
    return { included: found.map(([name, record]) => toResource(name, record, followed)) }
  }

  return { linkage, linksOf, toResource, toIncluded, include }
}

/** Writes resource objects and what belongs to them. */
export interface Writer {
  linkage(resource: string, record: JsonRecord, relation: LinkedResource): Linkage
  /** The links of a relationship. */
  linksOf(resource: string, record: JsonRecord, relation: string): JsonRecord
  toResource(resource: string, record: JsonRecord): ResourceObject
  /** The member `included`, if `include` was sent. @throws MockError 400 for an unknown relationship path */
  toIncluded(
    resource: string,
    records: readonly JsonRecord[],
    primary: readonly Identifier[],
  ): { included?: ResourceObject[] }
  include: readonly Embed[] | undefined
}

/** Finds a relation that `include` names. @throws MockError 400 */
export function findRelation(data: Data, resource: string, name: string): LinkedResource {
  const found = data.relation(resource, name)
  if (found) return found
  const known = data.relationsOf(resource).map((one) => one.name)
  const sentence = `"${resource}" has no relationship "${name}". ${suggest(name, known)}`
  throw wrongParameter('include', `names the unknown relationship "${name}"`, sentence)
}

/** Checks the relationship paths of `include`, before anything is written. @throws MockError 400 */
export function checkInclude(data: Data, resource: string, params: Params): void {
  createWriter(data, params).toIncluded(resource, [], [])
}

/** Encodes the name of a resource, in which a slash separates folders. */
function encode(resource: string): string {
  return encodeURIComponent(resource).replaceAll('%2F', '/')
}

function keyOf(parts: readonly [string, string]): string {
  return JSON.stringify(parts)
}

/** The facts of a resource that its resource objects need. */
interface Shape {
  /** The collection that holds the records. */
  source: string
  type: string
  idField: string
  isSingleton: boolean
  relations: readonly LinkedResource[]
  /** The fields that are no attributes: foreign keys, and fields with the names of relationships. */
  hidden: ReadonlySet<string>
  /** The fields that `fields[type]` names. */
  wanted: ReadonlySet<string> | undefined
}

/** A resource identifier object. */
export type Identifier = { type: string; id: string }

/** The related resources of a relationship ("Resource Linkage"). */
export type Linkage = Identifier | Identifier[] | null

/** A resource object. */
export type ResourceObject = Identifier & { [member: string]: Json }

/** The media type of documents. */
export const mediaType = 'application/vnd.api+json'

/** Writes a top-level document; members that are undefined are left out. */
export function toDocument(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { jsonapi: { version: '1.1' }, ...members }
}
