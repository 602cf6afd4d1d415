import { tell } from './dom.ts'

/** A resource as the control API describes it in `GET /__mock/state`. */
export interface Resource {
  name: string
  path: string
  /** The path, encoded for a URL. */
  url: string
  kind: 'collection' | 'singleton' | 'document'
  count: number
  /** The field that identifies the records of a collection. */
  idField?: string
}

/** A record. */
export type Row = Record<string, unknown>

/** The state of the mock at `/__mock/state`. */
export interface State {
  base: string
  /** The name of the dialect. */
  dialect: string
  resources: Resource[]
  behaviours: { name: string; controls: string[] }[]
  snapshots: string[]
}

/** Fetches the state of the mock. */
export async function askState(): Promise<State> {
  const state = await ask<State>('state')
  const { base } = state
  const resources = state.resources.map((resource) => ({
    ...resource,
    url: base + toUrl(resource.path.slice(base.length)),
  }))
  return { ...state, resources }
}

/** Encodes the segments of a path without its base, which is already encoded. */
function toUrl(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

/** The token in the page's URL, which servers beyond localhost require. */
const token = new URLSearchParams(location.search).get('token')

/** The URL of a control with its parameters and token, for requests that cannot have headers. */
export function addressOf(path: string, params: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(token === null ? params : { ...params, token }).toString()
  return `/__mock/${path}${query && `?${query}`}`
}

/** Sends a request to `/__mock`. The page shows the error of a rejection that is not handled. */
export async function ask<Value>(path: string, method = 'GET', input?: unknown): Promise<Value> {
  const body = input === undefined ? undefined : JSON.stringify(input)
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(addressOf(path), {
    method,
    headers,
    ...(body !== undefined && { body }),
  })
  const value = (await response.json()) as Value & { message?: string }
  if (!response.ok) throw new Error(value.message ?? response.statusText)
  tell('control')
  return value
}
