import type { DescribedResource } from '../../dialects/contract/description.ts'
import { isRecord, type JsonRecord, ownValue } from '../../json/json.ts'
import { propertiesOf } from '../../shape/declared/apply-schema.ts'
import type { Shape } from '../../shape/shapes.ts'
import type { JsonSchema, SchemaObject } from '../../types/json-schema.ts'
import type { ResourceNames } from '../names.ts'
import { isMarked, mapProperties, renameProperties, withProperty } from './properties.ts'
import { hoist, refTo } from './references.ts'
import type { EmbeddedRelation } from './relations.ts'
import { isOfFields, type OwnWrites, toInputId, toStored } from './stored.ts'
import { toForm, toInput, toMergePatch, toPart, toPatch } from './variants.ts'

/** The input for the schemas of a resource. */
export interface ResourceParts {
  shape: Shape
  names: ResourceNames
  relations: readonly EmbeddedRelation[]
  own: OwnWrites
  /** The names of fields that a version of the API renames. */
  renamed: Readonly<Record<string, string>>
  /** The component of the records of another resource, in the same version. */
  componentOf(resource: string): string | undefined
  /** A record of the fixtures. */
  example: JsonRecord | undefined
}

/** A resource of a document, and its components. */
export interface ResourceSchemas {
  resource: DescribedResource
  components: Record<string, JsonSchema>
}

/** Creates the components of a resource: `Post`, `PostInput`, `PostPatch` and others. */
export function createResource(parts: ResourceParts): ResourceSchemas {
  const { shape, names, componentOf } = parts
  const { name, kind } = shape
  const resolve = (reference: string): string | undefined => {
    const [, other] = /^(?:.*\/)?([^/]+)\.schema\.json$/.exec(reference) ?? []
    const folder = name.slice(0, name.lastIndexOf('/') + 1)
    return other === undefined ? undefined : (componentOf(folder + other) ?? componentOf(other))
  }
  const { schema, components } = hoist(shape.schema, names.one, resolve)
  return kind === 'document'
    ? createDocument(parts, schema, components)
    : createRecords(parts, schema, components)
}

function createDocument(
  { shape: { name }, names }: ResourceParts,
  schema: SchemaObject,
  components: Record<string, JsonSchema>,
): ResourceSchemas {
  const record = refTo(names.one)
  const resource: DescribedResource = {
    name,
    kind: 'document',
    singular: name,
    idField: '',
    record,
    embedded: record,
    part: record,
    input: record,
    patch: record,
    mergePatch: record,
    fields: {},
    relations: [],
  }
  const described = { description: `The document \`${name}\`.`, ...schema }
  return { resource, components: { ...components, [names.one]: described } }
}

function createRecords(
  { shape, names, relations, own, renamed, componentOf, example }: ResourceParts,
  schema: SchemaObject,
  components: Record<string, JsonSchema>,
): ResourceSchemas {
  const { name, kind, idField = '', filled } = shape
  const { one } = names
  const stored = renameProperties(toStored(shape, schema, own), renamed)
  const visible = mapProperties(stored, (property) =>
    isMarked(property, 'writeOnly') ? undefined : property,
  )
  const rename = (field: string): string => ownValue(renamed, field) ?? field
  const optional = [...(kind === 'collection' ? [idField] : []), ...filled].map(rename)
  const forbidden = relations.map((relation) => relation.name)
  const givenId = ownValue(propertiesOf(schema), idField)
  const writable =
    givenId === undefined ? stored : withProperty(stored, rename(idField), toInputId(givenId))
  const input = toInput(writable, { optional, forbidden })
  const form = isOfFields(input) ? toForm(input) : undefined
  const flat = opened(visible, relations.length > 0)
  const embedded = (base: SchemaObject, toTarget: (to: string) => JsonSchema): SchemaObject =>
    relations.reduce<SchemaObject>((last, { name: field, to, isMany }) => {
      const target = toTarget(to)
      const value: SchemaObject = isMany
        ? { type: 'array', items: target }
        : { anyOf: [target, { type: 'null' }] }
      const given = ownValue(propertiesOf(last), field)
      const description = 'There when a request embeds the relation.'
      const own = given === undefined ? { description, ...value } : { anyOf: [given, value] }
      return withProperty(last, field, own)
    }, base)
  // Records in embedded records are not described, as tools are slow with schemas that refer to one another.
  const toRecord = (to: string): JsonSchema => {
    const target = componentOf(to)
    return target === undefined ? { type: 'object' } : refTo(target)
  }
  const isSafe = example !== undefined && !hasReference(example)
  const shown = isSafe ? toExample(example, schema, renamed) : undefined
  const described = (text: string, of: SchemaObject, examples?: JsonRecord): SchemaObject => ({
    description: text,
    ...withoutDescription(of),
    ...(examples && { examples: [examples] }),
  })
  const subject = kind === 'collection' ? `A record of \`${name}\`` : `The singleton \`${name}\``
  const inputExample = shown && pickFields(shown, input, rename(idField))
  const all: Record<string, JsonSchema> = {
    ...components,
    [one]: described(`${subject}.`, flat, shown),
    [`${one}WithRelations`]: described(
      `${subject}, with the records that a request embeds.`,
      embedded(flat, toRecord),
    ),
    [`${one}Part`]: described(
      `${subject}, of which fields can be missing.`,
      embedded(toPart(flat) as SchemaObject, () => ({ type: 'object' })),
    ),
    [`${one}Input`]: described(
      `What a POST or a PUT may send to \`${name}\`.`,
      input,
      inputExample,
    ),
    [`${one}Patch`]: described(`The fields that a PATCH of \`${name}\` replaces.`, toPatch(input)),
    [`${one}MergePatch`]: described(
      `A merge patch (RFC 7396) of \`${name}\`: null removes a field.`,
      toMergePatch(input, stored),
    ),
    ...(form && {
      [`${one}Form`]: described(`What a form may send to \`${name}\`.`, form),
      [`${one}FormPatch`]: described(
        `What a form may send in a PATCH of \`${name}\`.`,
        toPatch(form),
      ),
    }),
  }
  const resource: DescribedResource = {
    name,
    kind: kind === 'collection' ? 'collection' : 'singleton',
    singular: names.singular,
    idField: rename(idField),
    record: refTo(one),
    embedded: refTo(relations.length > 0 ? `${one}WithRelations` : one),
    part: refTo(`${one}Part`),
    input: refTo(`${one}Input`),
    patch: refTo(`${one}Patch`),
    mergePatch: refTo(`${one}MergePatch`),
    form: form && refTo(`${one}Form`),
    formPatch: form && refTo(`${one}FormPatch`),
    fields: propertiesOf(visible),
    relations,
  }
  return { resource, components: all }
}

/** A schema that allows embedded records besides the fields that it names. */
function opened(schema: SchemaObject, hasRelations: boolean): SchemaObject {
  if (!hasRelations) return schema
  const kept = Object.entries(schema).filter(
    ([keyword, value]) =>
      !(value === false && ['additionalProperties', 'unevaluatedProperties'].includes(keyword)),
  )
  return Object.fromEntries(kept)
}

function withoutDescription(schema: SchemaObject): SchemaObject {
  const kept = Object.entries(schema).filter(
    ([keyword]) => keyword !== 'description' && keyword !== 'examples',
  )
  return Object.fromEntries(kept)
}

/** Whether a value has, at any depth, a key `$ref`, which tools would follow as a reference. */
function hasReference(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasReference)
  return (
    isRecord(value) && (Object.hasOwn(value, '$ref') || Object.values(value).some(hasReference))
  )
}

/** A record of the fixtures as clients see it. */
function toExample(
  record: JsonRecord,
  schema: SchemaObject,
  renamed: Readonly<Record<string, string>>,
): JsonRecord {
  const entries = Object.entries(record).flatMap(([name, value]) => {
    const property = ownValue(propertiesOf(schema), name) ?? {}
    return isMarked(property, 'writeOnly')
      ? []
      : [[ownValue(renamed, name) ?? name, value] as const]
  })
  return Object.fromEntries(entries)
}

/** The fields of a record that an input has; undefined if a required field is missing. */
function pickFields(
  record: JsonRecord,
  input: SchemaObject,
  idField: string,
): JsonRecord | undefined {
  const entries = Object.entries(record).filter(
    ([name]) => name !== idField && Object.hasOwn(propertiesOf(input), name),
  )
  const picked = Object.fromEntries(entries)
  const { required } = input
  const isWhole =
    !Array.isArray(required) || required.every((name) => Object.hasOwn(picked, String(name)))
  return isWhole && isRecord(picked) ? picked : undefined
}
