import refineSimpleRest from '@refinedev/simple-rest'
import { createSimpleRestDataProvider } from '@refinedev/rest/simple-rest'
import type { CrudFilter, CrudSort, DataProvider as RefineProvider } from '@refinedev/core'
import jsonServerProvider from 'ra-data-json-server'
import simpleRestProvider from 'ra-data-simple-rest'
import type { DataProvider as AdminProvider } from 'ra-core'

/** A record as the clients see it. */
export interface Post {
  id: number
  [field: string]: unknown
}

/** What a list asks for: pages count from 1. */
export interface ListAsked {
  page?: number
  size?: number
  sort?: [field: string, order: 'asc' | 'desc']
  /** Fields that have to be equal to a value, or to one of several. */
  equal?: Record<string, unknown>
  /** Fields that have to be at least this. */
  least?: Record<string, number>
  search?: string
}

/** What was found, and how many there are in all. */
export interface Listed {
  data: Post[]
  total: number | undefined
}

/** What a user of a client is told of an error. */
export interface Told {
  status: unknown
  message: string
  /** The messages of fields, where the client hands them on. */
  errors: unknown
}

/** The calls of every client, in the words of none. */
export interface Client {
  list: (resource: string, asked?: ListAsked) => Promise<Listed>
  one: (resource: string, id: number) => Promise<Post>
  many: (resource: string, ids: (number | string)[]) => Promise<Post[]>
  reference: (resource: string, target: string, id: number) => Promise<Listed>
  create: (resource: string, data: object) => Promise<Post>
  update: (resource: string, id: number, data: object, previous: object) => Promise<Post>
  updateMany: (resource: string, ids: number[], data: object) => Promise<unknown>
  remove: (resource: string, id: number) => Promise<unknown>
  removeMany: (resource: string, ids: number[]) => Promise<unknown>
  /** Reads an error that a call has thrown. */
  told: (error: unknown) => Told
}

/** Every client by its package, made for the URL of a server. */
export const clients: Record<string, (url: string) => Client> = {
  'ra-data-json-server': (url) => adminClient(jsonServerProvider(url)),
  'ra-data-simple-rest': (url) => adminClient(simpleRestProvider(url)),
  '@refinedev/simple-rest': (url) => refineClient(refineSimpleRest(url)),
  '@refinedev/rest': (url) =>
    refineClient(createSimpleRestDataProvider({ apiURL: url }).dataProvider),
}

function adminClient(provider: AdminProvider): Client {
  const paged = ({ page = 1, size = 10, sort = ['id', 'asc'] }: ListAsked): AdminPaged => ({
    pagination: { page, perPage: size },
    sort: { field: sort[0], order: sort[1] === 'asc' ? 'ASC' : 'DESC' },
  })
  return {
    list: (resource, asked = {}) => {
      const { equal, least = {}, search } = asked
      const bounds = Object.entries(least).map(([field, value]) => [`${field}_gte`, value])
      const filter = { ...equal, ...Object.fromEntries(bounds), ...(search && { q: search }) }
      return provider.getList<Post>(resource, { ...paged(asked), filter }).then(toListed)
    },
    one: async (resource, id) => (await provider.getOne<Post>(resource, { id })).data,
    many: async (resource, ids) => (await provider.getMany(resource, { ids })).data as Post[],
    reference: (resource, target, id) =>
      provider
        .getManyReference<Post>(resource, { ...paged({}), target, id, filter: {} })
        .then(toListed),
    create: async (resource, data) => (await provider.create(resource, { data })).data as Post,
    update: async (resource, id, data, previous) => {
      const previousData = { ...previous, id }
      const sent = { ...previous, ...data }
      return (await provider.update<Post>(resource, { id, data: sent, previousData })).data
    },
    updateMany: async (resource, ids, data) =>
      (await provider.updateMany(resource, { ids, data })).data,
    remove: async (resource, id) => (await provider.delete(resource, { id })).data as unknown,
    removeMany: async (resource, ids) => (await provider.deleteMany(resource, { ids })).data,
    told: (error) => {
      const { status, message, body } = error as { status: number; message: string; body?: object }
      return { status, message, errors: body && 'errors' in body ? body.errors : undefined }
    },
  }
}

interface AdminPaged {
  pagination: { page: number; perPage: number }
  sort: { field: string; order: 'ASC' | 'DESC' }
}

function toListed({ data, total }: { data: Post[]; total?: number }): Listed {
  return { data, total }
}

type Refine = Pick<
  RefineProvider,
  'getList' | 'getOne' | 'getMany' | 'create' | 'update' | 'deleteOne'
>

/** A client of refine, which does what concerns several records one by one. */
function refineClient(provider: Refine): Client {
  const client: Client = {
    async list(resource, { page = 1, size = 10, sort, equal = {}, least = {}, search } = {}) {
      const filters: CrudFilter[] = [
        ...Object.entries(equal).map(([field, value]): CrudFilter => ({
          field,
          operator: 'eq',
          value,
        })),
        ...Object.entries(least).map(([field, value]): CrudFilter => ({
          field,
          operator: 'gte',
          value,
        })),
        ...(search === undefined ? [] : [{ field: 'q', operator: 'eq' as const, value: search }]),
      ]
      const sorters: CrudSort[] = sort ? [{ field: sort[0], order: sort[1] }] : []
      const pagination = { currentPage: page, pageSize: size, mode: 'server' as const }
      return toListed(await provider.getList<Post>({ resource, filters, sorters, pagination }))
    },
    one: async (resource, id) => (await provider.getOne<Post>({ resource, id })).data,
    many: async (resource, ids) => (await provider.getMany?.<Post>({ resource, ids }))?.data ?? [],
    reference: (resource, target, id) => client.list(resource, { equal: { [target]: id } }),
    create: async (resource, data) =>
      (await provider.create<Post>({ resource, variables: data })).data,
    update: async (resource, id, data) =>
      (await provider.update<Post>({ resource, id, variables: data })).data,
    updateMany: (resource, ids, data) =>
      Promise.all(ids.map(async (id) => (await client.update(resource, id, data, {})).id)),
    remove: async (resource, id) => (await provider.deleteOne<Post>({ resource, id })).data,
    removeMany: (resource, ids) =>
      Promise.all(ids.map(async (id) => ((await client.remove(resource, id)) as Post).id)),
    told: (error) => {
      const { statusCode, message, response } = error as RefineError
      return { status: statusCode, message, errors: response?.data?.errors }
    },
  }
  return client
}

interface RefineError {
  statusCode: number
  message: string
  response?: { data?: { errors?: unknown } }
}
