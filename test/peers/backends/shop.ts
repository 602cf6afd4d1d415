import { randomUUID } from 'node:crypto'

import { type Backend, type Call, numberOf, type Reply, type Row, serveBackend } from './backend.ts'
import { pixel, sortBy } from './rows.ts'

/** The password of the login. */
export const shopPassword = 'shop-password-81'

const nouns = ['Lamp', 'Chair', 'Desk', 'Shelf', 'Mirror', 'Carpet', 'Clock', 'Vase']
const woods = ['Oak', 'Birch', 'Walnut', 'Pine', 'Maple', 'Cherry']

function createRows(): Record<'categories' | 'users' | 'products' | 'orders' | 'reviews', Row[]> {
  const day = (at: number): string =>
    `2026-0${1 + (at % 6)}-${String(((at * 5) % 28) + 1).padStart(2, '0')}T08:30:00.000Z`
  const stamps = (at: number): object => ({ created_at: day(at), updated_at: day(at) })
  const products: Row[] = Array.from({ length: 47 }, (_, at) => ({
    id: at + 1,
    name: `${woods[(at * 5) % 6]} ${nouns[(at * 3) % 8]} ${at + 1}`,
    sku: `SKU-${1000 + at}`,
    price: (((at * 37) % 200) + 9.5).toFixed(2),
    in_stock: at % 4 !== 1,
    category_id: (at % 6) + 1,
    ...stamps(at),
  }))
  const orders = Array.from({ length: 38 }, (_, at) => {
    const items = [at, at * 7, at * 11].slice(0, 1 + (at % 3)).map((one, line) => {
      const product = products[one % 47] as Row
      return { product_id: product.id, quantity: 1 + ((at + line) % 3), price: product['price'] }
    })
    const status = ['pending', 'paid', 'shipped', 'cancelled'][(at * 3) % 4] as string
    return {
      id: at + 1,
      number: `R${String(500 + at)}`,
      status,
      customer_id: 12 + (at % 9),
      line_items: items,
      total: totalOf(items),
      cancelled_at: status === 'cancelled' ? day(at + 1) : null,
      ...stamps(at),
    }
  })
  return {
    categories: Array.from({ length: 6 }, (_, at) => ({
      id: at + 1,
      name: `${nouns[at]}s`,
      position: 6 - at,
      products_count: products.filter((one) => one['category_id'] === at + 1).length,
    })),
    users: Array.from({ length: 9 }, (_, at) => ({
      id: 12 + at,
      email: `user${12 + at}@example.com`,
      role: at === 0 ? 'admin' : 'customer',
      locale: at % 2 === 0 ? 'en' : 'nb',
      ...stamps(at),
    })),
    products,
    orders,
    reviews: Array.from({ length: 33 }, (_, at) => ({
      id: at + 1,
      product_id: 1 + (at % 11),
      user_id: 12 + (at % 3),
      rating: 1 + ((at * 2) % 5),
      body: `Review ${at + 1}`,
      created_at: day(at),
    })),
  }
}

type Name = keyof ReturnType<typeof createRows>

interface LineItem {
  quantity: number
  price: unknown
}

function totalOf(items: readonly LineItem[]): string {
  return items.reduce((sum, one) => sum + one.quantity * Number(one.price), 0).toFixed(2)
}

const singular: Record<Name, string> = {
  categories: 'category',
  users: 'user',
  products: 'product',
  orders: 'order',
  reviews: 'review',
}

/** The order of a list without a parameter, and the size of its pages. */
const lists: Record<Name, { order: readonly [field: string, isDown: boolean]; size: number }> = {
  categories: { order: ['position', false], size: 100 },
  users: { order: ['id', false], size: 25 },
  products: { order: ['name', false], size: 12 },
  orders: { order: ['created_at', true], size: 10 },
  reviews: { order: ['created_at', true], size: 5 },
}

const filters: Record<Name, readonly string[]> = {
  categories: [],
  users: ['role'],
  products: ['category_id', 'in_stock'],
  orders: ['status', 'customer_id'],
  reviews: ['rating'],
}

/** The lists below a record, by the field that has its id. */
const nested: Record<string, readonly [name: Name, key: string]> = {
  'users/orders': ['orders', 'customer_id'],
  'users/reviews': ['reviews', 'user_id'],
  'categories/products': ['products', 'category_id'],
  'products/reviews': ['reviews', 'product_id'],
}

/**
 * Serves a shop in the style of Rails with `active_model_serializers`: a root key, snake case, `meta` with page counts,
 * `Token` credentials, errors by field, soft deletes, totals that the server computes, and actions.
 */
export function serveShop(): Promise<Backend> {
  const rows = createRows()
  const tokens = new Set<string>()
  const now = (): string => new Date().toISOString()

  return serveBackend((call) => {
    const { method, url, headers, body = {} } = call
    const [, api, name = '', id, child] = url.pathname.split('/')
    if (api !== 'api') return notFound()
    const request = `${method} ${url.pathname.slice('/api/'.length)}`
    if (request === 'POST login') return login(body)
    const isPublic = method === 'GET' && (name === 'products' || name === 'categories')
    if (name === 'images')
      return { status: 200, bytes: pixel, headers: { 'Content-Type': 'image/png' } }
    const token = /^Token token=(.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
    if (!isPublic && !tokens.has(token)) {
      return { status: 401, value: { error: 'You need to sign in before continuing.' } }
    }
    if (request === 'DELETE logout') {
      tokens.delete(token)
      return { status: 204 }
    }
    if (name === 'profile') return toProfile(call)
    if (request === 'GET orders/export.csv') return toCsv(rows.orders)
    if (!isName(name) || name === 'reviews') return notFound()
    if (id === undefined)
      return method === 'POST' ? create(name, rootOf(name, body)) : list(name, url)
    const row = rows[name].find((one) => String(one.id) === id && isKept(one))
    if (!row) return notFound()
    if (child !== undefined) return toChild(name, row, child, call)
    if (method === 'GET') return show(name, row)
    if (method === 'DELETE') return destroy(name, row)
    return update(name, row, rootOf(name, body))
  })

  function login({ email, password }: Record<string, unknown>): Reply {
    const user = rows.users.find((one) => one['email'] === email)
    if (!user || password !== shopPassword) {
      return { status: 401, value: { error: 'Invalid email or password.' } }
    }
    const token = randomUUID().replaceAll('-', '')
    tokens.add(token)
    return { status: 201, value: { auth_token: token, user: serialize(user) } }
  }

  function toProfile({ method, body = {} }: Call): Reply {
    const [user] = rows.users
    if (!user) return notFound()
    return method === 'GET' ? show('users', user) : update('users', user, rootOf('users', body))
  }

  function list(name: Name, url: URL, own = rows[name]): Reply {
    const { searchParams: query } = url
    const word = query.get('q')?.toLowerCase()
    const matching = own.filter(
      (row) =>
        isKept(row) &&
        filters[name].every(
          (field) => !query.has(field) || String(row[field]) === query.get(field),
        ) &&
        (word === undefined || String(row['name']).toLowerCase().includes(word)),
    )
    const [field, isDown] = lists[name].order
    const order = query.get('sort') ?? field
    const sorted = sortBy(
      matching,
      order,
      query.has('sort') ? query.get('direction') === 'desc' : isDown,
    )
    const page = numberOf(url, 'page', 1)
    const size = numberOf(url, 'per_page', lists[name].size)
    const total = Math.ceil(sorted.length / size)
    const items = sorted.slice((page - 1) * size, page * size).map(serialize)
    const meta = {
      current_page: page,
      next_page: page < total ? page + 1 : null,
      prev_page: page > 1 ? page - 1 : null,
      total_pages: total,
      total_count: sorted.length,
    }
    // Categories are few and have no pages.
    return {
      status: 200,
      value: name === 'categories' ? { categories: items } : { [name]: items, meta },
    }
  }

  function create(name: Name, sent: Record<string, unknown>): Reply {
    const errors = validate(name, sent)
    if (errors) return { status: 422, value: { errors } }
    const own = name === 'orders' ? toOrder(sent) : name === 'products' ? { in_stock: true } : {}
    const id = Math.max(...rows[name].map((one) => one.id)) + 1
    const row: Row = { id, ...sent, ...own, created_at: now(), updated_at: now() }
    rows[name].push(row)
    return { ...show(name, row), status: 201 }
  }

  function toOrder({ line_items: sent }: Record<string, unknown>): object {
    const items = (sent as { product_id: number; quantity: number }[]).map((one) => {
      const price = rows.products.find(({ id }) => id === one.product_id)?.['price'] ?? '0.00'
      return { product_id: one.product_id, quantity: one.quantity, price }
    })
    const number = `R${500 + rows.orders.length}`
    return {
      number,
      status: 'pending',
      line_items: items,
      total: totalOf(items),
      cancelled_at: null,
    }
  }

  function validate(name: Name, sent: Record<string, unknown>, row?: Row): object | undefined {
    const errors: Record<string, string[]> = {}
    const isGiven = (field: string): boolean => row === undefined || Object.hasOwn(sent, field)
    const add = (field: string, message: string): unknown => (errors[field] ??= []).push(message)
    if (name === 'products') {
      if (isGiven('name') && !sent['name']) add('name', "can't be blank")
      if (isGiven('price') && !(Number(sent['price']) > 0)) add('price', 'must be greater than 0')
      const isTaken = rows.products.some((one) => one !== row && one['sku'] === sent['sku'])
      if (isGiven('sku') && isTaken) add('sku', 'has already been taken')
    }
    if (name === 'orders' && isGiven('customer_id') && !sent['customer_id']) {
      add('customer', 'must exist')
    }
    if (name === 'orders' && row === undefined && !Array.isArray(sent['line_items'])) {
      add('line_items', "can't be blank")
    }
    if (name === 'reviews' && !(Number(sent['rating']) >= 1)) add('rating', 'is not a number')
    return Object.keys(errors).length > 0 ? errors : undefined
  }

  function update(name: Name, row: Row, sent: Record<string, unknown>): Reply {
    const errors = validate(name, sent, row)
    if (errors) return { status: 422, value: { errors } }
    Object.assign(row, sent, { updated_at: now() })
    return show(name, row)
  }

  function destroy(name: Name, row: Row): Reply {
    if (name === 'categories') {
      return {
        status: 409,
        value: { error: 'Cannot delete record because dependent products exist' },
      }
    }
    row['deleted_at'] = now()
    return { status: 204 }
  }

  function toChild(name: Name, row: Row, child: string, { method, url, body = {} }: Call): Reply {
    if (name === 'orders' && method === 'POST') return act(row, child)
    if (name === 'products' && child === 'image') {
      return { status: 302, headers: { Location: `${url.origin}/api/images/${row.id}.png` } }
    }
    const [other, key] = nested[`${name}/${child}`] ?? []
    if (!other || !key) return notFound()
    if (method === 'POST') return create(other, { ...rootOf(other, body), [key]: row.id })
    return list(
      other,
      url,
      rows[other].filter((one) => one[key] === row.id),
    )
  }

  function act(order: Row, action: string): Reply {
    const from = { pay: ['pending'], ship: ['paid'], cancel: ['pending', 'paid'] }[action]
    if (!from) return notFound()
    const status = String(order['status'])
    if (!from.includes(status)) {
      return { status: 422, value: { errors: { status: [`is already ${status}`] } } }
    }
    const to = { pay: 'paid', ship: 'shipped', cancel: 'cancelled' }[action]
    Object.assign(order, { status: to, updated_at: now() })
    if (action === 'cancel') order['cancelled_at'] = now()
    return show('orders', order)
  }
}

function isName(name: string): name is Name {
  return Object.hasOwn(singular, name)
}

function isKept(row: Row): boolean {
  return row['deleted_at'] === undefined
}

/** A record without the mark of its removal. */
function serialize(row: Row): object {
  return Object.fromEntries(Object.entries(row).filter(([field]) => field !== 'deleted_at'))
}

function show(name: Name, row: Row): Reply {
  return { status: 200, value: { [singular[name]]: serialize(row) } }
}

function rootOf(name: Name, body: Record<string, unknown>): Record<string, unknown> {
  return (body[singular[name]] ?? {}) as Record<string, unknown>
}

function notFound(): Reply {
  return { status: 404, value: { error: 'Not found' } }
}

function toCsv(orders: readonly Row[]): Reply {
  const lines = orders.map((one) => [one['number'], one['status'], one['total']].join(','))
  return {
    status: 200,
    bytes: `number,status,total\n${lines.join('\n')}\n`,
    headers: {
      'Content-Type': 'text/csv',
      'Content-Disposition': 'attachment; filename="orders.csv"',
    },
  }
}
