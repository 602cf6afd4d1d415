import { createHash, randomUUID } from 'node:crypto'

import { type Backend, type Call, numberOf, type Reply, serveBackend } from './backend.ts'
import { sortBy } from './rows.ts'

/** The header of a client that the depot knows. */
export const depotKey = { 'X-Api-Key': 'depot-key-93b1c4' }

type Row = Record<string, unknown> & { id: string }
type Name = 'warehouses' | 'items' | 'employees' | 'shipments'

/** An UUID that is the same in every run. */
function uuidOf(name: string, at: number): string {
  const hex = createHash('sha256').update(`${name} ${at}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** The ids of the records that the depot begins with. */
export const depotIds = {
  warehouse: (at: number): string => uuidOf('warehouse', at),
  item: (at: number): string => uuidOf('item', at),
  employee: (at: number): string => uuidOf('employee', at),
  shipment: (at: number): string => uuidOf('shipment', at),
}

const goods = ['Bolt', 'Bracket', 'Cable', 'Gasket', 'Hinge', 'Pump', 'Valve']
const cities = ['Bergen', 'Gdansk', 'Porto', 'Trieste']

function createRows(): Record<Name, Row[]> {
  const time = (at: number): string =>
    new Date(Date.UTC(2026, 0, 4) + ((at * 53) % 170) * 86_400_000 + at * 61_000).toISOString()
  return {
    warehouses: cities.map((city, at) => ({
      id: depotIds.warehouse(at),
      code: `WH-${at + 1}`,
      city,
      capacity: 400 + at * 150,
      active: at !== 2,
    })),
    items: Array.from({ length: 52 }, (_, at) => ({
      id: depotIds.item(at),
      sku: `DPT-${String(at + 1).padStart(4, '0')}`,
      name: `${goods[(at * 3) % 7]} ${String.fromCharCode(65 + ((at * 11) % 26))}${at}`,
      status: ['ACTIVE', 'BLOCKED', 'ARCHIVED'][at % 7 === 3 ? 1 : at % 9 === 4 ? 2 : 0],
      warehouseId: depotIds.warehouse(at % 4),
      quantity: (at * 29) % 120,
      unitPrice: { amount: ((at * 31) % 90) + 0.25, currency: 'EUR' },
      createdAt: time(at),
      updatedAt: time(at),
      version: 1,
    })),
    employees: Array.from({ length: 14 }, (_, at) => ({
      id: depotIds.employee(at),
      login: `employee${at}`,
      department: ['LOGISTICS', 'SALES', 'IT'][at % 3],
      managerId: at < 3 ? null : depotIds.employee(at % 3),
      hiredOn: time(at * 3).slice(0, 10),
    })),
    shipments: Array.from({ length: 27 }, (_, at) => ({
      id: depotIds.shipment(at),
      reference: `S-${9000 + at}`,
      state: ['PLANNED', 'DISPATCHED', 'DELIVERED'][(at * 2) % 3],
      itemId: depotIds.item((at * 5) % 52),
      handlerId: depotIds.employee(at % 14),
      dispatchedAt: (at * 2) % 3 === 0 ? null : time(at + 2),
      createdAt: time(at + 1),
    })),
  }
}

/** The order of a list without a parameter. */
const orders: Record<Name, readonly [field: string, isDown: boolean]> = {
  warehouses: ['code', false],
  items: ['sku', false],
  employees: ['login', false],
  shipments: ['createdAt', true],
}

const filters: Record<Name, readonly string[]> = {
  warehouses: ['active'],
  items: ['status', 'warehouseId'],
  employees: ['department'],
  shipments: ['state'],
}

const nested: Record<string, readonly [name: Name, key: string]> = {
  'warehouses/items': ['items', 'warehouseId'],
  'employees/shipments': ['shipments', 'handlerId'],
  'employees/reports': ['employees', 'managerId'],
}

const singular: Record<Name, string> = {
  warehouses: 'Warehouse',
  items: 'Item',
  employees: 'Employee',
  shipments: 'Shipment',
}

/**
 * Serves a depot in the style of a Java or .NET company: camel case, UUIDs, an API key, `data` with zero-based `page`
 * and absolute `links`, a feed with cursors, problem documents, ETags and preconditions, and conflicts.
 */
export function serveDepot(): Promise<Backend> {
  const rows = createRows()
  const settings = { locale: 'en-GB', timezone: 'Europe/Oslo', lowStockLimit: 10 }

  return serveBackend((call) => {
    const { method, url, headers, body } = call
    const [, api, version, name = '', id, child] = url.pathname.split('/')
    if (api !== 'api' || version !== 'v2') return problem(call, 404, 'No such route')
    if (headers['x-api-key'] !== depotKey['X-Api-Key']) {
      return problem(call, 401, 'The API key is missing or unknown')
    }
    if (name === 'me') return { status: 200, value: { data: rows.employees[4] } }
    if (name === 'settings') {
      if (method === 'PUT' || method === 'PATCH') Object.assign(settings, body)
      return withTag(call, settings)
    }
    if (name === 'stats') return { status: 200, value: { data: toStats() } }
    if (!Object.hasOwn(rows, name)) return problem(call, 404, 'No such route')
    const resource = name as Name
    if (id === undefined) return method === 'POST' ? create(resource, call) : list(resource, call)
    const row = rows[resource].find((one) => one.id === id)
    if (!row) return problem(call, 404, `${singular[resource]} '${id}' was not found`)
    if (child !== undefined) return toChild(resource, row, child, call)
    if (method === 'GET') return withTag(call, row)
    if (resource === 'warehouses') return problem(call, 405, 'Warehouses are read-only')
    const expected = headers['if-match']
    if (expected !== undefined && expected !== tagOf(row)) {
      return problem(call, 412, 'The record was changed by another user')
    }
    if (method === 'DELETE') {
      rows[resource].splice(rows[resource].indexOf(row), 1)
      return { status: 204 }
    }
    return update(resource, row, call)
  })

  function toStats(): object {
    const quantities = rows.items.map((one) => Number(one['quantity']))
    return { items: rows.items.length, stock: quantities.reduce((sum, one) => sum + one, 0) }
  }

  function list(name: Name, { url }: Call, own = rows[name]): Reply {
    const { searchParams: query } = url
    const word = query.get('q')?.toLowerCase()
    const matching = own.filter(
      (row) =>
        filters[name].every((field) => {
          const wanted = query.getAll(field).flatMap((one) => one.split(','))
          return wanted.length === 0 || wanted.includes(String(row[field]))
        }) &&
        (word === undefined || JSON.stringify(row).toLowerCase().includes(word)),
    )
    const [field = '', direction] = query.get('sort')?.split(',') ?? []
    const sorted =
      field === ''
        ? sortBy(matching, ...orders[name])
        : sortBy(matching, field, direction === 'desc')
    return name === 'shipments' && own === rows.shipments
      ? toFeed(sorted, url)
      : toPage(sorted, url)
  }

  function create(name: Name, call: Call): Reply {
    const { url, body = {} } = call
    if (name !== 'items') return problem(call, 405, `${singular[name]}s cannot be created`)
    const violations = validate(body)
    if (violations.length > 0) return problem(call, 400, 'Validation failed', { violations })
    if (rows.items.some((one) => one['sku'] === body['sku'])) {
      return problem(call, 409, `An item with the SKU '${String(body['sku'])}' exists`)
    }
    const at = new Date().toISOString()
    const defaults = { status: 'ACTIVE', quantity: 0, warehouseId: null }
    const row: Row = {
      id: randomUUID(),
      ...defaults,
      ...body,
      createdAt: at,
      updatedAt: at,
      version: 1,
    }
    rows.items.push(row)
    return {
      status: 201,
      value: { data: row },
      headers: { Location: `${url.origin}/api/v2/items/${row.id}`, ETag: tagOf(row) },
    }
  }

  function update(name: Name, row: Row, call: Call): Reply {
    const { method, body = {} } = call
    if (name === 'items') {
      const violations = validate(method === 'PUT' ? body : { ...row, ...body })
      if (violations.length > 0) return problem(call, 400, 'Validation failed', { violations })
    }
    Object.assign(row, body)
    if (name === 'items') {
      Object.assign(row, {
        updatedAt: new Date().toISOString(),
        version: Number(row['version']) + 1,
      })
    }
    return { status: 200, value: { data: row }, headers: { ETag: tagOf(row) } }
  }

  function toChild(name: Name, row: Row, child: string, call: Call): Reply {
    if (call.method === 'POST') return act(`${name}/${child}`, row, call)
    if (name === 'shipments' && child === 'label') {
      return {
        status: 200,
        bytes: `%PDF-1.4\n% ${String(row['reference'])}\n%%EOF\n`,
        headers: { 'Content-Type': 'application/pdf' },
      }
    }
    if (name === 'shipments' && child === 'item') {
      return {
        status: 303,
        headers: { Location: `${call.url.origin}/api/v2/items/${String(row['itemId'])}` },
      }
    }
    const [other, key] = nested[`${name}/${child}`] ?? []
    if (!other || !key) return problem(call, 404, 'No such route')
    return list(
      other,
      call,
      rows[other].filter((one) => one[key] === row.id),
    )
  }

  function act(action: string, row: Row, call: Call): Reply {
    if (action === 'items/archive') {
      Object.assign(row, { status: 'ARCHIVED', updatedAt: new Date().toISOString() })
      return { status: 204 }
    }
    if (action !== 'shipments/dispatch') return problem(call, 404, 'No such route')
    if (row['state'] !== 'PLANNED') {
      return problem(call, 409, `Shipment ${String(row['reference'])} is ${String(row['state'])}`)
    }
    Object.assign(row, { state: 'DISPATCHED', dispatchedAt: new Date().toISOString() })
    return { status: 200, value: { data: row } }
  }
}

function validate({ sku, name, quantity = 0 }: Record<string, unknown>): object[] {
  return [
    ...(typeof sku === 'string' && sku !== ''
      ? []
      : [{ field: 'sku', message: 'must not be blank' }]),
    ...(typeof name === 'string' && name !== ''
      ? []
      : [{ field: 'name', message: 'must not be blank' }]),
    ...(Number(quantity) >= 0
      ? []
      : [{ field: 'quantity', message: 'must be greater than or equal to 0' }]),
  ]
}

function problem({ url }: Call, status: number, detail: string, more: object = {}): Reply {
  const titles: Record<number, string> = {
    400: 'Bad Request',
    401: 'Unauthorized',
    404: 'Not Found',
    405: 'Method Not Allowed',
    409: 'Conflict',
    412: 'Precondition Failed',
  }
  const document = {
    type: 'about:blank',
    title: titles[status],
    status,
    detail,
    instance: url.pathname,
  }
  return {
    status,
    bytes: JSON.stringify({ ...document, ...more }),
    headers: { 'Content-Type': 'application/problem+json' },
  }
}

function tagOf(value: object): string {
  return `"${createHash('sha1').update(JSON.stringify(value)).digest('hex').slice(0, 12)}"`
}

function withTag({ headers }: Call, value: object): Reply {
  const tag = { ETag: tagOf(value) }
  if (headers['if-none-match'] === tag.ETag) return { status: 304, headers: tag }
  return { status: 200, value: { data: value }, headers: tag }
}

function toPage(found: readonly Row[], url: URL): Reply {
  const number = numberOf(url, 'page', 0)
  const size = numberOf(url, 'size', 20)
  const totalPages = Math.ceil(found.length / size)
  const linkTo = (to: number): string | null => {
    if (to < 0 || to >= totalPages) return null
    const target = new URL(url)
    target.searchParams.set('page', String(to))
    target.searchParams.set('size', String(size))
    return target.href
  }
  return {
    status: 200,
    value: {
      data: found.slice(number * size, (number + 1) * size),
      page: { number, size, totalElements: found.length, totalPages },
      links: { self: url.href, next: linkTo(number + 1), prev: linkTo(number - 1) },
    },
  }
}

function toFeed(found: readonly Row[], url: URL): Reply {
  const limit = numberOf(url, 'limit', 8)
  const cursor = url.searchParams.get('cursor')
  const start = cursor === null ? 0 : found.findIndex(({ id }) => id === atob(cursor)) + 1
  const items = found.slice(start, start + limit)
  const hasMore = start + limit < found.length
  return {
    status: 200,
    value: { data: items, nextCursor: hasMore ? btoa(items.at(-1)?.id ?? '') : null },
  }
}
