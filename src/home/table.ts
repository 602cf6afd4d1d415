import type { Resource, Row, State } from './control.ts'
import { element, fill, part, tell } from './dom.ts'
import { type Asked, firstPage, queryFor } from './query.ts'

/** What a table leads to. */
interface Ways {
  /** Shows another resource, or those of its records that have a value. */
  open(name: string, filter?: [string, string]): void
  /** Hears of the first record that is shown. */
  offer(record: Row): void
}

/** Shows a resource: a collection as a table to look into, anything else as it is. Gives what shows it anew. */
export function showResource(
  resource: Resource,
  state: State,
  { open, offer }: Ways,
  filter?: [string, string],
): () => void {
  const shown: Asked = { ...firstPage, filter }
  const results = element('div')
  const search = element('input', {
    type: 'search',
    placeholder: 'Search',
    'aria-label': `Search ${resource.name}`,
    input: () => {
      shown.search = search.value
      shown.page = 1
      void load()
    },
  })
  const field = element(
    'select',
    {
      'aria-label': 'Field',
      change: () => {
        shown.field = field.value
        shown.page = 1
        void load()
      },
    },
    element('option', { value: '' }, 'in any field'),
  )
  const title = element('h2', {}, resource.path)
  part('data').replaceChildren(title, results)
  if (resource.kind === 'collection')
    title.after(element('div', { class: 'bar' }, search, field, filterNote()))

  let last = 0
  async function load(): Promise<void> {
    const turn = ++last
    const fields = Array.from(field.options, ({ value }) => value).slice(1)
    const isList = resource.kind === 'collection'
    const query = isList ? queryFor(state.dialect, { ...shown, fields }) : ''
    const answer = await read(resource.url + query)
    if (turn !== last) return
    if (!answer?.response.ok) {
      const { status, statusText } = answer?.response ?? { status: 'no', statusText: 'answer' }
      return tell('data', `GET ${resource.path}: ${status} ${statusText}`)
    }
    tell('data')
    const { response, value } = answer
    const envelope = value as { data?: unknown; items?: number }
    const rows = Array.isArray(value) ? value : envelope.data
    if (!isList || !Array.isArray(rows)) {
      return results.replaceChildren(element('pre', {}, JSON.stringify(value, null, 2)))
    }
    const total = Number(response.headers.get('X-Total-Count') ?? envelope.items ?? rows.length)
    const [first] = rows as Row[]
    if (first) offer(first)
    fill(results, first ? table(rows as Row[]) : element('p', {}, 'No records'), pager(total))
  }

  /** The fields that can be searched: those that have been seen. */
  function listFields(fields: readonly string[]): void {
    const known = Array.from(field.options, ({ value }) => value)
    const added = fields.filter((name) => name !== '' && !known.includes(name))
    field.append(...added.map((name) => element('option', { value: name }, `in ${name}`)))
  }

  function filterNote(): HTMLElement {
    if (!filter) return element('span')
    const all = { type: 'button', click: () => open(resource.name) }
    return element('span', {}, `${filter[0]} = ${filter[1]} `, element('button', all, 'Show all'))
  }

  function table(rows: Row[]): HTMLElement {
    const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))]
    listFields(fields)
    const head = fields.map((field) => {
      const order =
        shown.sort === field ? (shown.isFalling ? 'descending' : 'ascending') : undefined
      const mark = order === undefined ? '' : shown.isFalling ? ' ▼' : ' ▲'
      const sort = (): void => {
        shown.isFalling = shown.sort === field && !shown.isFalling
        shown.sort = field
        void load()
      }
      return element(
        'th',
        { 'aria-sort': order },
        element('button', { type: 'button', click: sort }, field + mark),
      )
    })
    const body = rows.map((row) =>
      element('tr', {}, ...fields.map((field) => cell(field, row[field]))),
    )
    return element(
      'div',
      { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Records' },
      element(
        'table',
        {},
        element('thead', {}, element('tr', {}, ...head)),
        element('tbody', {}, ...body),
      ),
    )
  }

  /** A value; one that names a record elsewhere leads there. */
  function cell(field: string, value: unknown): HTMLElement {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
    const stem = /^(.+?)_?[iI]d$/.exec(field)?.[1]?.toLowerCase()
    const target = state.resources.find(({ name, kind }) => {
      const last = name.slice(name.lastIndexOf('/') + 1).toLowerCase()
      return (
        kind === 'collection' &&
        stem !== undefined &&
        (last === `${stem}s` || last === stem.replace(/y$/, 'ies'))
      )
    })
    if (!target || text === '' || typeof value === 'object')
      return element('td', { title: text }, text)
    const follow = (event: Event): void => {
      event.preventDefault()
      open(target.name, [target.idField ?? 'id', text])
    }
    return element(
      'td',
      {},
      element('a', { href: `${target.url}/${encodeURIComponent(text)}`, click: follow }, text),
    )
  }

  function pager(total: number): HTMLElement {
    const pages = Math.max(1, Math.ceil(total / shown.size))
    const turn = (by: number) => (): void => {
      shown.page += by
      void load()
    }
    return element(
      'div',
      { class: 'bar' },
      element('button', { type: 'button', disabled: shown.page <= 1, click: turn(-1) }, 'Previous'),
      element('span', {}, `Page ${shown.page} of ${pages}, ${total} records`),
      element('button', { type: 'button', disabled: shown.page >= pages, click: turn(1) }, 'Next'),
    )
  }

  void load()
  return () => void load()
}

/** What is answered; undefined where nobody does. */
async function read(url: string): Promise<{ response: Response; value: unknown } | undefined> {
  try {
    const response = await fetch(url)
    return { response, value: await response.json() }
  } catch {
    return undefined
  }
}
