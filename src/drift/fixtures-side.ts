import type { MockInternals } from '../core/http/contract/internals.ts'
import { type Json, tryJson } from '../core/json/json.ts'
import { descriptionsOf } from '../core/mock/behaviours.ts'
import { fromSchema } from '../core/drift/facts/from-schema.ts'
import { override } from '../core/drift/facts/combine.ts'
import {
  type ObservedResponse,
  type DriftTarget,
  type Ask,
  explore,
} from '../core/drift/observe/explore.ts'
import { toSide } from '../core/drift/observe/observe-api.ts'
import type { Side, SideResource } from '../core/drift/side.ts'
import { applyDescriptions } from '../core/shape/declared/apply-descriptions.ts'
import type { ShapeRules } from '../core/shape/shapes.ts'

/** Reads the fixtures through the mock, as clients do, or by their data; `queryOf` returns the query of a list. */
export async function readFixtures(
  mock: ComparedMock,
  targets: readonly DriftTarget[],
  queryOf: (target: DriftTarget) => string | undefined = () => undefined,
): Promise<Side> {
  const { internals } = mock
  const ask = createAsk(mock)
  const responses = new Map<DriftTarget, readonly ObservedResponse[]>()
  for (const target of targets) {
    const options = { pages: maxPages, members: maxMembers, query: queryOf(target) }
    const found = await explore(ask, target, options).catch(() => [])
    const [first] = found
    responses.set(target, first?.status === 200 ? found : [toData(internals, target)])
  }
  const side = toSide(responses, rulesOf(internals))
  const resources = [...side.resources].map(
    ([name, resource]) => [name, withDeclared(internals, resource)] as const,
  )
  return { ...side, resources: new Map(resources) }
}

/** The mock that `mock drift` compares with a live API, a document or a recording: its internals, and a `fetch` to it. */
export interface ComparedMock {
  internals: MockInternals
  fetch(url: string, init?: RequestInit): Promise<Response>
  /** The collections of a recording of which no path has shown a single record. */
  listOnly?: readonly string[]
}

/** The maximum number of pages to read of a list of the mock, whose dialect may split every list into pages. */
const maxPages = 10_000

/** The maximum number of records to read at their own paths, of which a recording may have seen a few whole. */
const maxMembers = 1_000

/** Returns the resources of a mock, to be compared. */
export function targetsOf({ internals: { store }, listOnly = [] }: ComparedMock): DriftTarget[] {
  return [...store.resources.values()].map((resource) => ({
    name: resource.name,
    kind: resource.kind,
    idField: resource.kind === 'collection' ? resource.idField : '',
    isListOnly: listOnly.includes(resource.name),
    ...(resource.kind === 'singleton' && { fields: Object.keys(resource.get()) }),
  }))
}

/** Returns the options by which shape inference finds the relations of a mock. */
export function rulesOf({ service }: MockInternals): ShapeRules {
  const { relations, foreignKeySuffix } = service
  return { relations, foreignKeySuffix }
}

function createAsk({ internals, fetch }: ComparedMock): Ask {
  const root = `http://localhost${internals.service.base}`
  return async (path: string, from?: { url: string }) => {
    const url = from ? new URL(path, from.url).href : root + path
    const response = await fetch(url, { headers: { Accept: 'application/json' } })
    return {
      url,
      path: url.slice('http://localhost'.length),
      status: response.status,
      json: tryJson(await response.text()),
      headers: [...response.headers],
    }
  }
}

function toData({ store }: MockInternals, { name }: DriftTarget): ObservedResponse {
  const resource = store.resources.get(name)
  const isList = resource?.kind === 'collection'
  const json: Json = isList ? [...resource.records()] : (resource?.get() ?? null)
  return { role: 'data', url: '', path: `/${name}`, status: 200, json, headers: [] }
}

function withDeclared({ behaviours }: MockInternals, resource: SideResource): SideResource {
  const descriptions = descriptionsOf(behaviours, resource.name)
  const { schema } = applyDescriptions({}, descriptions)
  const uri = `/${resource.name}`
  const documents = new Map([[uri, schema as Json]])
  const declared = fromSchema({ value: schema, uri }, { documents, isLimit: true })
  return { ...resource, facts: override(resource.facts, declared) }
}
