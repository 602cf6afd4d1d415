/** What of a collection is asked for. */
export interface Asked {
  search: string
  /** The field that is searched; empty for all. */
  field: string
  /** The fields that have been seen. */
  fields: readonly string[]
  sort: string
  isFalling: boolean
  /** From 1, of so many records each. */
  page: number
  size: number
  filter: readonly [field: string, value: string] | undefined
}

/** The first page of all there is, in the order that it has. */
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

/** The query that asks for it, as the dialect has it; one that is not known is taken for `rest`. */
export function queryFor(dialect: string, asked: Asked): string {
  const wire = (Object.hasOwn(wires, dialect) ? wires[dialect] : undefined) ?? rest
  const given = Object.entries(wire(asked)).filter(
    ([, value]) => value !== undefined && value !== '',
  )
  return `?${new URLSearchParams(given as [string, string][])}`
}

type Wire = (asked: Asked) => Record<string, string | undefined>

/** Here alone the page speaks dialects: it is a client as any other. */
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
