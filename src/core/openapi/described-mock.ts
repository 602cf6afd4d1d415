import type { DescribedResource, DialectDescription } from '../dialects/contract/description.ts'
import { describeRest } from '../dialects/rest/describe.ts'
import type { MockInternals } from '../http/contract/internals.ts'
import type { Description, VersionFacts } from '../http/contract/description.ts'
import { define, isRecord, isSame, type JsonRecord, ownValue } from '../json/json.ts'
import { propertiesOf } from '../shape/declared/apply-schema.ts'
import type { Shape } from '../shape/shapes.ts'
import type { JsonSchema, SchemaObject } from '../types/json-schema.ts'
import { nameResources, type ResourceNames } from './names.ts'
import { nestedOf, relationsOf } from './schemas/relations.ts'
import { renameKeys, renameShape } from './schemas/properties.ts'
import { createResource, type ResourceParts } from './schemas/resource.ts'
import { toStored } from './schemas/stored.ts'

/** Collects the shapes and the descriptions by the dialect and the behaviours of a mock. */
export function describeMock(mock: MockInternals, shapes: readonly Shape[]): DescribedMock {
  const { dialect } = mock.service
  const described = dialect.describe ? dialect.describe(dialect) : describeRest(dialect)
  const descriptions = mock.behaviours.flatMap(({ name, describe }) =>
    describe ? [{ name, ...describe() }] : [],
  )
  const reserved = [...Object.keys(described?.schemas ?? {}), 'JsonPatch']
  return {
    mock,
    shapes,
    names: nameResources(shapes, reserved),
    dialect: described,
    descriptions,
    undescribed: [
      ...(described ? [] : [dialect.name]),
      ...mock.behaviours.flatMap(({ name, describe }) => (describe ? [] : [name])),
    ],
    versions: descriptions.flatMap(({ versions = [] }) => versions),
  }
}

/** A mock with the descriptions by its dialect and behaviours, from which an OpenAPI document is written. */
export interface DescribedMock {
  mock: MockInternals
  shapes: readonly Shape[]
  names: ReadonlyMap<string, ResourceNames>
  /** Undefined for a dialect that does not describe itself. */
  dialect: DialectDescription | undefined
  /** The descriptions of the behaviours that have one. */
  descriptions: readonly (Description & { name: string })[]
  /** The names of the dialect and the behaviours that do not describe themselves. */
  undescribed: readonly string[]
  versions: readonly VersionFacts[]
}

/** The resources of one version of the API, and the components that their schemas need. */
export interface VersionResources {
  resources: ReadonlyMap<string, DescribedResource>
  components: Record<string, JsonSchema>
}

/** Describes the resources as a version of the API has them. */
export function toResources(described: DescribedMock, version?: VersionFacts): VersionResources {
  const { mock, shapes, names } = described
  const renamed = version?.fields ?? {}
  const isDefault = version?.isDefault ?? true
  const affected = isDefault ? new Set<string>() : affectedBy(described, renamed)
  const suffix = version
    ? version.name.replaceAll(/[^A-Za-z0-9]/g, '').replace(/^./, (first) => first.toUpperCase())
    : ''
  const nameOf = (name: string): ResourceNames | undefined => {
    const found = names.get(name)
    return found && affected.has(name) ? { ...found, one: found.one + suffix } : found
  }
  const keys = writtenValues(described)
  const resources = new Map<string, DescribedResource>()
  const components: Record<string, JsonSchema> = {}
  const { fieldName } = described.dialect ?? {}
  for (const stored of shapes) {
    const own = nameOf(stored.name)
    if (!own) continue
    const shape = fieldName ? renameShape(stored, fieldName) : stored
    const example = exampleOf(mock, stored)
    const parts: ResourceParts = {
      shape,
      names: own,
      relations: relationsOf(shape, mock),
      own: { stores: described.dialect?.stores, fields: keys.get(shape.name) ?? {} },
      renamed: ownValue(renamed, shape.name) ?? {},
      componentOf: (name) => nameOf(name)?.one,
      filters: ownValue(mock.service.rules, stored.name)?.filters ?? [],
      example: example && fieldName ? (renameKeys(example, fieldName) as JsonRecord) : example,
    }
    const created = createResource(parts)
    resources.set(shape.name, created.resource)
    Object.assign(components, created.components)
  }
  return { resources, components }
}

function affectedBy({ mock, shapes }: DescribedMock, renamed: VersionFacts['fields']): Set<string> {
  const affected = new Set(Object.keys(renamed))
  for (let size = -1; size !== affected.size;) {
    size = affected.size
    for (const shape of shapes) {
      if (relationsOf(shape, mock).some(({ to }) => affected.has(to))) affected.add(shape.name)
    }
  }
  return affected
}

function writtenValues({
  mock,
  shapes,
  dialect,
  descriptions,
}: DescribedMock): Map<string, Record<string, SchemaObject[]>> {
  const found = new Map<string, Record<string, SchemaObject[]>>()
  const add = (resource: string, field: string, schema: SchemaObject): void => {
    const fields = found.get(resource) ?? {}
    const name = dialect?.fieldName?.(field) ?? field
    define(fields, name, [...(ownValue(fields, name) ?? []), schema])
    found.set(resource, fields)
  }
  const { links } = mock.service
  const storesKeys = dialect?.stores?.foreignKeys
  for (const shape of shapes) {
    if (shape.kind !== 'collection') continue
    const id = idsOf(shape, dialect)
    for (const { to, key } of nestedOf(shape.name, links)) {
      if (key === undefined) continue
      const isList = links
        .relations()
        .parentsOf(to)
        .some((one) => one.key === key && one.many)
      if (storesKeys === 'null') add(to, key, { type: 'null' })
      else if (storesKeys === 'text') add(to, key, { type: 'string' })
      else add(to, key, isList ? { type: 'array', items: id } : id)
    }
  }
  for (const { records = {} } of descriptions) {
    for (const [name, { fields = {} }] of Object.entries(records)) {
      for (const [field, { values = [], idsOf: users }] of Object.entries(fields)) {
        for (const schema of values) add(name, field, schema)
        const of = shapes.find((shape) => shape.name === users)
        if (of) add(name, field, idsOf(of, dialect))
      }
    }
  }
  return found
}

function idsOf(shape: Shape, dialect: DialectDescription | undefined): SchemaObject {
  const { idField = 'id', schema } = shape
  const stored = toStored(shape, schema, { stores: dialect?.stores, fields: {} })
  const id = ownValue(propertiesOf(stored), idField)
  if (!isRecord(id)) return {}
  const { description: _, ...claims } = id
  return claims
}

function exampleOf({ store }: MockInternals, { name }: Shape): JsonRecord | undefined {
  const resource = store.fixtureLayer(name).pristine
  if (resource?.kind === 'singleton') return resource.get()
  return resource?.kind === 'collection' ? resource.records()[0] : undefined
}

/** Describes the resources at paths without a version: the default, or all that headers select. */
export function combineVersions(described: DescribedMock): VersionResources {
  const fallback = described.versions.find(({ isDefault }) => isDefault)
  const own = toResources(described, fallback)
  const others = described.versions
    .filter(({ prefix, isDefault }) => prefix === undefined && !isDefault)
    .map((version) => toResources(described, version))
  if (others.length === 0) return own
  const resources = new Map(
    Array.from(own.resources, ([name, resource]) => [
      name,
      combine(
        resource,
        others.flatMap((one) => one.resources.get(name) ?? []),
      ),
    ]),
  )
  const components = Object.assign(
    {},
    ...others.map((one) => one.components),
    own.components,
  ) as Record<string, JsonSchema>
  return { resources, components }
}

const schemas = ['record', 'embedded', 'part', 'input', 'patch', 'mergePatch'] as const

function combine(own: DescribedResource, others: readonly DescribedResource[]): DescribedResource {
  const combined: DescribedResource = {
    ...own,
    fields: Object.assign(
      {},
      ...others.map(({ fields }) => fields),
      own.fields,
    ) as DescribedResource['fields'],
  }
  for (const name of schemas) combined[name] = anyOf([own, ...others].map((one) => one[name]))
  for (const name of ['form', 'formPatch'] as const) {
    const all = [own, ...others].flatMap((one): JsonSchema[] => {
      const schema = one[name]
      return schema === undefined ? [] : [schema]
    })
    combined[name] = all.length === others.length + 1 ? anyOf(all) : undefined
  }
  return combined
}

function anyOf(all: readonly JsonSchema[]): JsonSchema {
  const different = all.filter(
    (one, index) => all.findIndex((other) => isSame(one, other)) === index,
  )
  const [first = true] = different
  return different.length === 1 ? first : { anyOf: different }
}
