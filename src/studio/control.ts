import { tell } from './dom.ts'

/** A resource as the control describes it. */
export interface Resource {
  name: string
  path: string
  /** The path as it stands in a URL. */
  url: string
  kind: 'collection' | 'singleton' | 'document'
  count: number
  /** The field that identifies the records of a collection. */
  idField?: string
}

/** A record. */
export type Row = Record<string, unknown>

/** What there is to know of the mock. */
export interface State {
  base: string
  /** The name of the dialect that the resources speak. */
  dialect: string
  resources: Resource[]
  behaviours: { name: string; controls: string[] }[]
  snapshots: string[]
}

/** Asks what there is. */
export async function askState(): Promise<State> {
  const state = await ask<State>('state')
  const { base } = state
  const resources = state.resources.map((resource) => ({
    ...resource,
    url: base + toUrl(resource.path.slice(base.length)),
  }))
  return { ...state, resources }
}

/** Names of resources may hold any sign; a base is written as it stands in a URL. */
function toUrl(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}

/** The token that was in the page's address, where the server asks for one. */
const token = new URLSearchParams(location.search).get('token')

/** The address of a control, for what cannot send headers. */
export function addressOf(path: string): string {
  const query = token === null ? '' : `?token=${encodeURIComponent(token)}`
  return `/__mock/${path}${query}`
}

/** Asks the control. What goes wrong is told to the reader, where nobody else takes it. */
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
