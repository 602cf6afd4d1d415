/** The part of a collection that the table shows: its page, order and filter. */
export interface Asked {
  search: string
  /** The field to search; empty for all. */
  field: string
  /** The fields of all records that have been shown. */
  fields: readonly string[]
  sort: string
  isFalling: boolean
  /** The number of the page, from 1. */
  page: number
  /** The number of records a page. */
  size: number
  filter: readonly [field: string, value: string] | undefined
}

/** The first page of all records, unsorted. */
export const firstPage: Asked = {
  search: '',
  field: '',
  fields: [],
  sort: '',
  isFalling: false,
  page: 1,
  size: 20,
  filter: undefined,
}

/** The query string in a dialect; an unknown dialect uses that of `rest`. */
export function queryFor(dialect: string, asked: Asked): string {
  const wire = (Object.hasOwn(wires, dialect) ? wires[dialect] : undefined) ?? rest
  const given = Object.entries(wire(asked)).filter(
    ([, value]) => value !== undefined && value !== '',
  )
  return `?${new URLSearchParams(given as [string, string][])}`
}

type Wire = (asked: Asked) => Record<string, string | undefined>

/** The query parameters by dialect. The page is an ordinary client, so it needs them as well. */
const wires: Record<string, Wire> = {
  'json-server-0': (asked) => {
    const { search, field } = asked
    if (field === '') return rest(asked)
    const pattern = search.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    return { ...rest({ ...asked, search: '' }), [`${field}_like`]: pattern }
  },
  'json-server-1': ({ search, field, fields, sort, isFalling, page, size, filter }) => {
    const searched = (field === '' ? fields : [field]).map((name) => ({
      [name]: { contains: search },
    }))
    const where = {
      ...(filter && { [filter[0]]: { eq: filter[1] } }),
      ...(search !== '' && { or: searched }),
    }
    return {
      _page: String(page),
      _per_page: String(size),
      _sort: isFalling ? `-${sort}` : sort,
      _where: filter || search !== '' ? JSON.stringify(where) : undefined,
    }
  },
  'simple-rest': ({ search, field, sort, isFalling, page, size, filter }) => ({
    range: JSON.stringify([(page - 1) * size, page * size - 1]),
    sort: sort === '' ? undefined : JSON.stringify([sort, isFalling ? 'DESC' : 'ASC']),
    filter: JSON.stringify({
      ...(search !== '' && { [field === '' ? 'q' : `${field}_contains`]: search }),
      ...(filter && { [filter[0]]: filter[1] }),
    }),
  }),
}

function rest({ search, field, sort, isFalling, page, size, filter }: Asked): ReturnType<Wire> {
  return {
    _page: String(page),
    _limit: String(size),
    [field === '' ? 'q' : `${field}:contains`]: search,
    _sort: sort,
    _order: sort === '' ? undefined : isFalling ? 'desc' : 'asc',
    ...(filter && { [filter[0]]: filter[1] }),
  }
}
