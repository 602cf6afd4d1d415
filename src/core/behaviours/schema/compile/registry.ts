import { clone, isRecord, type JsonRecord, ownValue } from '../../../json/json.ts'
import { fromToken } from '../../../json/pointer.ts'
import { subschemasOf } from '../../../json/subschemas.ts'
import { toSchemaUri } from '../../../url/schema-uri.ts'
import { resolveUri, splitFragment, withEscapes } from '../../../url/uri.ts'
import { SchemaError, toSchemaError } from './schema-error.ts'

/** Reads the URIs and anchors of all schemas, so that a `$ref` in one schema can find a part of any other. */
export function createRegistry(schemas: Readonly<Record<string, unknown>>): Registry {
  const roots = new Map<string, Location | SchemaError>()
  const byUri = new Map<string, Location>()
  const locations = new Map<JsonRecord, Location>()
  for (const [name, schema] of Object.entries(schemas)) roots.set(name, readRoot(name, schema))
  return { roots, locate, resolve }

  function readRoot(name: string, given: unknown): Location | SchemaError {
    try {
      // A copy gives each place an object of its own, and ignores later changes.
      const schema = clone(given)
      const resource = createResource(toSchemaUri(name), draftOf(schema), schema, name)
      register(resource.uri, { schema, path: [], resource })
      const root = read(schema, [], resource)
      byUri.set(withEscapes(resource.uri), root)
      return root
    } catch (error) {
      return toSchemaError(name, error)
    }
  }

  function read(schema: unknown, path: Location['path'], outer: SchemaResource): Location {
    if (!isRecord(schema)) return { schema, path, resource: outer }
    const draft = draftOf(schema, outer.draft)
    const [uri, fragment] = splitFragment(resolveUri(idOf(schema, draft), outer.uri))
    const isOuter = uri === outer.uri
    const resource = isOuter ? outer : createResource(uri, draft, schema, outer.rootName)
    const location = { schema, path, resource }
    locations.set(schema, location)
    if (!isOuter) register(uri, location)
    const { $anchor, $dynamicAnchor, $recursiveAnchor } = schema
    for (const anchor of [fragment, $anchor, $dynamicAnchor]) {
      if (typeof anchor === 'string') resource.anchors.set(anchor, location)
    }
    if (typeof $dynamicAnchor === 'string') resource.dynamicAnchors.set($dynamicAnchor, location)
    const isRoot = schema === resource.schema
    if ($recursiveAnchor === true && isRoot) resource.dynamicAnchors.set('', location)
    for (const [steps, part] of subschemasOf(schema)) read(part, [...path, ...steps], resource)
    return location
  }

  function register(uri: string, location: Location): void {
    const key = withEscapes(uri)
    const known = byUri.get(key)
    byUri.set(key, location)
    if (!known || known.schema === location.schema) return
    const reason = `there are two schemas with the $id "${uri}". Please give each its own.`
    throw new SchemaError(location.resource.rootName, location.path, reason)
  }

  function locate(schema: unknown, path: Location['path'], outer: SchemaResource): Location {
    return (isRecord(schema) && locations.get(schema)) || { schema, path, resource: outer }
  }

  function resolve(reference: string, from: SchemaResource): Location | undefined {
    for (const base of [from.uri, toSchemaUri(from.rootName)]) {
      const [uri, fragment] = splitFragment(resolveUri(reference, base))
      const root = byUri.get(withEscapes(uri))
      const location = root && findPart(root, decodeFragment(fragment))
      if (location) return location
    }
    return undefined
  }

  function findPart(root: Location, fragment: string): Location | undefined {
    if (fragment === '') return root
    return fragment.startsWith('/')
      ? followPointer(root, fragment)
      : root.resource.anchors.get(fragment)
  }

  function followPointer(root: Location, pointer: string): Location | undefined {
    let location = root
    for (const token of pointer.split('/').slice(1).map(fromToken)) {
      const { schema, path, resource } = location
      const part = ownValue(Object(schema) as JsonRecord, token)
      if (part === undefined) return undefined
      location = locate(part, [...path, Array.isArray(schema) ? Number(token) : token], resource)
    }
    // A part that no keyword holds is read as a schema once a reference leads to the part.
    const { schema, path, resource } = location
    return isRecord(schema) && !locations.has(schema) ? read(schema, path, resource) : location
  }
}

interface Registry {
  /** The whole schema of each resource by name, or the mistake that makes the schema unusable. */
  readonly roots: Map<string, Location | SchemaError>
  locate(schema: unknown, path: Location['path'], outer: SchemaResource): Location
  /** Returns the schema that a reference points to, or undefined. */
  resolve(reference: string, from: SchemaResource): Location | undefined
}

/** A schema resource (JSON Schema Core §4.3.5): a whole schema, or a part with its own `$id`. */
export interface SchemaResource {
  readonly uri: string
  readonly draft: Draft
  readonly schema: unknown
  /** The name of the collection, singleton or document whose schema contains this schema resource. */
  readonly rootName: string
  readonly anchors: Map<string, Location>
  /** Anchors by `$dynamicAnchor`; the empty name stands for `$recursiveAnchor`. */
  readonly dynamicAnchors: Map<string, Location>
}

/** A schema, the keys that lead to the schema, and the schema resource that contains the schema. */
export interface Location {
  readonly schema: unknown
  /** The keys that lead to the schema from the top of the whole schema. */
  readonly path: readonly (string | number)[]
  readonly resource: SchemaResource
}

function createResource(
  uri: string,
  draft: Draft,
  schema: unknown,
  rootName: string,
): SchemaResource {
  return { uri, draft, schema, rootName, anchors: new Map(), dynamicAnchors: new Map() }
}

function idOf(schema: JsonRecord, { idKeyword, ignoresBesideRef }: Draft): string {
  const id = ownValue(schema, idKeyword)
  const isIgnored = ignoresBesideRef && Object.hasOwn(schema, '$ref')
  return typeof id === 'string' && !isIgnored ? id : ''
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

/** The points in which the drafts contradict one another; any keyword works in every draft. */
export interface Draft {
  /** The keyword that gives a schema its URI. */
  readonly idKeyword: 'id' | '$id'
  readonly ignoresBesideRef: boolean
  /** Whether `exclusiveMinimum` and `exclusiveMaximum` are flags of `minimum` and `maximum`. */
  readonly hasExclusiveFlags: boolean
  /** Whether `unevaluatedItems` skips the elements that match `contains`. */
  readonly containsEvaluates: boolean
}

const draft2020: Draft = {
  idKeyword: '$id',
  ignoresBesideRef: false,
  hasExclusiveFlags: false,
  containsEvaluates: true,
}
const draft2019: Draft = { ...draft2020, containsEvaluates: false }
const draft7: Draft = { ...draft2019, ignoresBesideRef: true }
const draft4: Draft = { ...draft7, idKeyword: 'id', hasExclusiveFlags: true }

const drafts: readonly [part: string, draft: Draft][] = [
  ['draft-04', draft4],
  ['draft-06', draft7],
  ['draft-07', draft7],
  ['2019-09', draft2019],
  ['2020-12', draft2020],
]

/** Returns the draft that `$schema` names, otherwise the draft of the enclosing schema, otherwise 2020-12. */
function draftOf(schema: unknown, outer: Draft = draft2020): Draft {
  const uri = isRecord(schema) ? schema['$schema'] : undefined
  return drafts.find(([part]) => typeof uri === 'string' && uri.includes(part))?.[1] ?? outer
}
