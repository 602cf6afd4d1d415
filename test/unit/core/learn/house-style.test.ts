import { describe, expect, it } from 'vitest'

import type { Json, JsonRecord } from '../../../../src/core/json/json.ts'
import { configOf, dataOf, learn, origin, type Short } from './exchanges.ts'

const colors = ['red', 'green', 'blue']

/** Thirty offers, whose dates are in another order than their ids. */
const offers = Array.from({ length: 30 }, (_, at) => ({
  id: at + 1,
  title: `Offer ${colors[at % 3]} ${at}`,
  note: at % 2 === 0 ? `In ${colors[(at + 1) % 3]}` : 'Plain',
  state: at % 5 === 0 ? 'sold' : 'open',
  price: (at * 7) % 30,
  tags: [{ label: `t${at % 4}` }, { label: `u${at % 3}` }],
  sellerId: (at % 4) + 11,
  createdAt: `2026-01-${String(((at * 11) % 30) + 1).padStart(2, '0')}`,
}))

const sellers = [11, 12, 13, 14].map((id) => ({ id, handle: `s${id}`, rank: id % 2 }))

function newestFirst(rows: readonly (typeof offers)[number][]): JsonRecord[] {
  return rows.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))
}

/** A list of the offers that a test finds. */
function list(
  search: string,
  test: (offer: (typeof offers)[number]) => boolean = () => true,
): Short {
  const items = newestFirst(offers.filter(test))
  return [`GET /offers${search}`, { items, total: items.length }]
}

const base: Short[] = [list(''), ['GET /sellers', { items: sellers, total: 4 }]]

function optionsOf(...exchanges: Short[]): Record<string, Json> {
  const { resources = {} } = configOf(learn(exchanges))
  return (resources as Record<string, Record<string, Json>>)['offers'] ?? {}
}

describe('the names of filters', () => {
  const rows: [title: string, expected: Json | undefined, ...exchanges: Short[]][] = [
    ['are not needed for a field', undefined, list('?price=7', ({ price }) => price === 7)],
    [
      'are those of ranges',
      { minPrice: 'price:gte', maxPrice: 'price:lte' },
      list('?minPrice=5&maxPrice=9', ({ price }) => price >= 5 && price <= 9),
    ],
    [
      'are those of dates, with the other end of a range',
      { created_after: 'createdAt:gt', created_before: 'createdAt:lt' },
      list('?created_after=2026-01-20', ({ createdAt }) => createdAt > '2026-01-20'),
    ],
    [
      'are those of lists of values, also of a field',
      { price: 'price:in' },
      list('?price=1,7', ({ price }) => price === 1 || price === 7),
    ],
    [
      'are those of values that a record has to have together',
      { tags: 'tags.label:all' },
      list('?tags=t1,u2', ({ tags }) =>
        ['t1', 'u2'].every((one) => tags.some(({ label }) => label === one)),
      ),
    ],
    [
      'are those of fields of related records',
      { seller: 'seller.handle' },
      list('?seller=s12', ({ sellerId }) => sellerId === 12),
      list('?seller=s14', ({ sellerId }) => sellerId === 14),
    ],
    [
      'are those of a search in some fields',
      { search: 'title:contains' },
      list('?search=red', ({ title }) => title.includes('red')),
    ],
    [
      'are not needed for a search in all fields',
      undefined,
      list('?search=red', ({ title, note }) => (title + note).includes('red')),
    ],
  ]

  it.each(rows)('%s', (_title, expected, ...exchanges) => {
    expect(optionsOf(...base, ...exchanges)['filters']).toEqual(expected)
  })

  it('can have a default, and a value for all records', () => {
    const open = list('', ({ state }) => state === 'open')
    const sold = list('?status=sold', ({ state }) => state === 'sold')
    const all = list('?status=all')
    expect(optionsOf(open, sold, all)['filters']).toEqual({
      status: { field: 'state', default: 'open', all: 'all' },
    })
  })

  it('keep the records that lists leave out by default', () => {
    const learned = learn([
      list('?state=sold', ({ state }) => state === 'sold'),
      list('', ({ state }) => state === 'open'),
    ])
    expect(dataOf(learned)['offers']).toHaveLength(30)
    const { filters } = optionsOf(
      list('?state=sold', ({ state }) => state === 'sold'),
      list('', ({ state }) => state === 'open'),
    )
    expect(filters).toEqual({ state: { field: 'state', default: 'open' } })
  })

  it('are asked for, if no field explains a parameter', () => {
    const { questions } = learn([...base, list('?luck=2', ({ id }) => id % 7 === 3)])
    expect(questions.map(({ text }) => text)).toEqual([
      'GET /offers?luck=2: no field explains "luck", so that only its recorded answers have it.',
    ])
  })

  it('are those of sort orders', () => {
    const byPrice = offers.toSorted((a, b) => a.price - b.price)
    const sorted: Short = ['GET /offers?sort=cost_price', { items: byPrice, total: 30 }]
    expect(optionsOf(...base, sorted)['filters']).toEqual({ cost_price: 'price' })
  })

  it.each<[title: string, expected: Json | undefined, prices: string[]]>([
    ['compare texts as numbers where the lists do', { price: 'price:number' }, ['5', '9.50', '12']],
    ['compare texts as numbers where both agree', { price: 'price:number' }, ['5', '9.50', '99']],
    ['compare texts as texts where the lists do', undefined, ['12', '5', '9.50']],
    ['are not needed for texts of one length', undefined, ['05.10', '19.50', '99.00']],
    ['are not those of texts in no order', undefined, ['9.50', '12', '5']],
    ['are not those of other texts', undefined, ['9a', '12a', '5a']],
  ])('%s', (_title, expected, prices) => {
    const items = prices.map((price, at) => ({ id: at + 1, price }))
    const sorted: Short = ['GET /offers?sort=price', { items, total: 3 }]
    expect(optionsOf(['GET /offers/1', items[0] ?? {}], sorted)['filters']).toEqual(expected)
  })
})

describe('the order of lists', () => {
  it('is that of a field, and the records are in the order of their ids', () => {
    expect(optionsOf(...base)['sort']).toBe('-createdAt')
    expect(dataOf(learn(base))['offers']).toEqual(offers)
  })

  it('needs no option, if it is that of ids', () => {
    expect(optionsOf(['GET /offers', { items: offers, total: 30 }])['sort']).toBeUndefined()
  })
})

describe('related records in responses', () => {
  it('are embedded, and no part of the records', () => {
    const full = offers.map((offer) => ({
      ...offer,
      seller: sellers.find(({ id }) => id === offer.sellerId) ?? null,
    }))
    const exchanges: Short[] = [
      ['GET /offers', { items: full, total: 30 }],
      ['GET /sellers', { items: sellers, total: 4 }],
    ]
    expect(optionsOf(...exchanges)).toEqual({ embed: 'seller' })
    expect(dataOf(learn(exchanges))['offers']).toEqual(offers)
  })
})

describe('links in records', () => {
  it('are made of the fields that they end with', () => {
    const linked = offers.map((offer) => ({
      ...offer,
      _links: {
        self: { href: `${origin}/offers/${offer.id}` },
        seller: { href: `${origin}/sellers/${offer.sellerId}` },
      },
    }))
    expect(optionsOf(['GET /offers', { items: linked, total: 30 }])['item']).toBeUndefined()
    const { dialect } = configOf(learn([['GET /offers', { items: linked, total: 30 }]]))
    expect(dialect).toMatchObject({
      rest: {
        resources: {
          offers: {
            item: {
              '...': '$record',
              _links: {
                self: { href: '$url' },
                seller: { href: '$origin/sellers/$record.sellerId' },
              },
            },
          },
        },
      },
    })
  })
})

describe('names of resources in envelopes', () => {
  const exchanges: Short[] = [
    ['GET /offers', { offers, offersCount: 30 }],
    ['GET /sellers', { sellers }],
    ['GET /offers/1', { offer: offers[0] ?? null }],
    ['GET /profile', { user: { name: 'Ada' } }],
    ['GET /offers/99', { errors: { offer: ['not found'] } }, { status: 404 }],
  ]
  const { rest } = configOf(learn(exchanges))['dialect'] as { rest: Record<string, JsonRecord> }

  it('belong to their resource', () => {
    expect(rest['list']).toEqual({ $resource: '$items' })
    expect(rest['resources']?.['offers']).toEqual({
      list: { $resource: '$items', offersCount: '$total' },
    })
  })

  it('are variables, also in errors', () => {
    expect(rest['record']).toEqual({ $singular: '$record' })
    expect(rest['errors']).toEqual({ NOT_FOUND: { errors: { $singular: ['not found'] } } })
  })

  it('can be those of a singleton, which has no envelope in its fixture', () => {
    expect(rest['resources']?.['profile']).toEqual({ record: { user: '$record' } })
    expect(dataOf(learn(exchanges))['profile']).toEqual({ name: 'Ada' })
  })
})

describe('the envelope of records', () => {
  it('is not that of bodies below ids that hold no record', () => {
    const { dialect } = configOf(
      learn([
        ['GET /offers', { results: offers }],
        ['GET /offers/3', { offer: offers[2] ?? null }],
        ['GET /offers/likes', { total: 3 }],
        ['GET /offers/views', { total: 4 }],
      ]),
    )
    expect(dialect).toMatchObject({ rest: { record: { $singular: '$record' } } })
  })
})

describe('envelopes that say the number of pages and no total', () => {
  it('have the numbers of pages, where most lists have one page', () => {
    const lists = sellers.map(({ id }): Short => {
      const items = offers.filter(({ sellerId }) => sellerId === id)
      return [
        `GET /offers?sellerId=${id}`,
        { items, meta: { next_page: null, prev_page: null, total: items.length } },
      ]
    })
    const second: Short = [
      'GET /offers?page=2&limit=8',
      { items: offers.slice(8, 16), meta: { next_page: 3, prev_page: 1, total: 30 } },
    ]
    expect(configOf(learn([...lists, ...lists, second]))['dialect']).toMatchObject({
      rest: { list: { meta: { next_page: '$nextPage', prev_page: '$prevPage' } } },
    })
  })

  it('have variables', () => {
    const toPage = (page: number, limit: number): Short => {
      const last = Math.ceil(30 / limit)
      const pageData = { page, limit, hasNextPages: page < last, totalPages: last }
      const results = offers.slice((page - 1) * limit, page * limit)
      return [`GET /offers?page=${page}&limit=${limit}`, { pageData, results }]
    }
    const { dialect } = configOf(learn([toPage(1, 8), toPage(2, 8), toPage(4, 8), toPage(1, 20)]))
    expect(dialect).toMatchObject({
      rest: {
        list: {
          pageData: {
            page: '$page',
            limit: '$limit',
            hasNextPages: '$hasNext',
            totalPages: '$pages',
          },
          results: '$items',
        },
      },
    })
  })
})
