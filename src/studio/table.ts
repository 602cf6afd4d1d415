import { send } from './api.ts'
import { addressOf, type Resource, type Row, type State } from './control.ts'
import { element, fill, part, tell } from './dom.ts'
import { type Asked, firstPage, queryFor } from './query.ts'
import type { Requests } from './request.ts'

/** The functions that the table of records calls when a person follows a link or picks a record. */
interface Ways extends Requests {
  /** Shows another resource, with an optional filter by one field. */
  open(name: string, filter?: [string, string]): void
}

/** Shows a resource: a collection as a table, anything else as JSON. Returns a function that reloads it. */
export function showResource(
  resource: Resource,
  state: State,
  { open, offer, choose }: Ways,
  filter?: [string, string],
): () => void {
  const { name, path, url, idField = 'id' } = resource
  const isList = resource.kind === 'collection'
  const shown: Asked = { ...firstPage, filter }
  const search = element('input', {
    type: 'search',
    placeholder: 'Search',
    'aria-label': `Search ${name}`,
    input: () => look({ search: search.value, page: 1 }),
  })
  const field = element(
    'select',
    { 'aria-label': 'Field', change: () => look({ field: field.value, page: 1 }) },
    element('option', { value: '' }, 'in any field'),
  )
  const head = element('tr')
  const body = element('tbody')
  const records = element(
    'div',
    { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Records' },
    element('table', {}, element('thead', {}, head), body),
  )
  const pages = element('div', { class: 'bar' })
  const results = element('div')
  part('data').replaceChildren(element('h2', {}, path), results)
  if (isList) results.before(element('div', { class: 'bar' }, search, field, filterNote()))

  let last = 0
  async function load(): Promise<void> {
    const turn = ++last
    results.ariaBusy = 'true'
    const fields = Array.from(field.options, ({ value }) => value).slice(1)
    const query = isList ? queryFor(state.dialect, { ...shown, fields }) : ''
    const answer = await read(url + query)
    if (turn !== last) return
    results.ariaBusy = 'false'
    if (typeof answer === 'string') return tell('data', `GET ${path}: ${answer}`)
    tell('data')
    const { value, total } = answer
    const envelope = value as { data?: unknown; items?: number } | null
    const rows = Array.isArray(value) ? value : envelope?.data
    if (!isList || !Array.isArray(rows))
      return results.replaceChildren(element('pre', {}, JSON.stringify(value, null, 2)))
    showRows(rows as Row[], Number(total ?? envelope?.items ?? rows.length))
  }

  /** Changes the requested part, loads it and scrolls to its top. */
  function look(change: Partial<Asked>): void {
    Object.assign(shown, change)
    records.scrollTop = 0
    void load()
  }

  function showRows(rows: Row[], total: number): void {
    const count = Math.max(1, Math.ceil(total / shown.size))
    // The current page may no longer exist.
    if (shown.page > count) return look({ page: count })
    offer(rows)
    const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))]
    listFields(fields)
    fill(head, ...fields.map(heading))
    fill(
      body,
      ...rows.map((row) =>
        element('tr', {}, ...fields.map((field) => cell(field, row[field], row))),
      ),
    )
    fill(pages, turn('Previous', -1, count), note(count, total), turn('Next', 1, count))
    fill(results, rows.length > 0 ? records : element('p', {}, 'No records'), pages)
  }

  /** Adds the fields of the shown records to the fields that can be searched. */
  function listFields(fields: readonly string[]): void {
    const known = Array.from(field.options, ({ value }) => value)
    const added = fields.filter((name) => name !== '' && !known.includes(name))
    field.append(...added.map((name) => element('option', { value: name }, `in ${name}`)))
  }

  function filterNote(): HTMLElement {
    if (!filter) return element('span')
    const all = { type: 'button', click: () => open(name) }
    return element('span', {}, `${filter[0]} = ${filter[1]} `, element('button', all, 'Show all'))
  }

  function heading(field: string): HTMLElement {
    const isSorted = field !== '' && shown.sort === field
    const order = isSorted ? (shown.isFalling ? 'descending' : 'ascending') : undefined
    const mark = isSorted ? (shown.isFalling ? ' ▼' : ' ▲') : ''
    const sort = (): void =>
      look({ sort: field, isFalling: shown.sort === field && !shown.isFalling })
    return element(
      'th',
      { 'aria-sort': order },
      element('button', { type: 'button', click: sort }, field + mark),
    )
  }

  /** A value. The id selects its record; a foreign key links to the record it names. */
  function cell(field: string, value: unknown, row: Row): HTMLElement {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
    const kind = value === null ? 'null' : typeof value
    const target = typeof value === 'object' || text === '' ? undefined : targetOf(field)
    if (field === idField) {
      const show = { type: 'button', title: `Show ${text}`, click: () => choose(row) }
      return element('td', { class: kind }, element('button', show, text))
    }
    if (!target) return element('td', { class: kind, title: text }, text)
    const follow = (event: Event): void => {
      event.preventDefault()
      open(target.name, [target.idField ?? 'id', text])
    }
    const href = `${target.url}/${encodeURIComponent(text)}`
    return element('td', { class: kind }, element('a', { href, click: follow }, text))
  }

  /** The collection that a foreign key refers to. */
  function targetOf(field: string): Resource | undefined {
    const stem = /^(.+?)_?[iI]d$/.exec(field)?.[1]?.toLowerCase()
    if (stem === undefined) return undefined
    return state.resources.find(({ name, kind }) => {
      const last = name.slice(name.lastIndexOf('/') + 1).toLowerCase()
      return kind === 'collection' && (last === `${stem}s` || last === stem.replace(/y$/, 'ies'))
    })
  }

  function note(count: number, total: number): HTMLElement {
    return element('span', {}, `Page ${shown.page} of ${count}, ${total} records`)
  }

  /** A button that stays focusable where there is no further page. */
  function turn(title: string, by: number, count: number): HTMLElement {
    const isLast = shown.page + by < 1 || shown.page + by > count
    const click = (): void => {
      if (!isLast) look({ page: shown.page + by })
    }
    return element('button', { type: 'button', 'aria-disabled': String(isLast), click }, title)
  }

  void load()
  return () => void load()
}

/**
 * Fetches a value and the total count; an error message where that fails. Reads through the control, so that
 * the page uses up no rule and no limit of the application, and does not appear in the log.
 */
async function read(url: string): Promise<{ value: unknown; total: string | null } | string> {
  try {
    const response = await send(addressOf('read', { url }))
    const value = (await response.json()) as { detail?: string } | null
    if (response.ok) return { value, total: response.headers.get('X-Total-Count') }
    return `${response.status} ${response.statusText}. ${value?.detail ?? ''}`
  } catch (error) {
    return `no response (${String(error)})`
  }
}
