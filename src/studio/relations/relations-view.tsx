import { Waypoints } from 'lucide'
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { hrefOf } from '../app/router.ts'
import { revision, state } from '../app/state.ts'
import { askSchema, toFields } from '../data/ask-fields.ts'
import { fieldIcon } from '../data/field-icon.ts'
import type { Field } from '../data/fields.ts'
import { askRelations, type Relation } from '../data/relations.ts'
import { Page, Icon } from '../parts/controls.tsx'
import { useLoaded } from '../parts/use-loaded.ts'
import { withCommas } from '../parts/with-commas.ts'

/** Shows the resources as boxes with their fields, and the foreign keys between them as lines. */
export function RelationsView(): VNode {
  const resources = (state.value?.resources ?? []).filter(({ kind }) => kind !== 'document')
  const names = resources.map(({ name }) => name)
  const [active, setActive] = useState<string | undefined>()
  const found = useLoaded(async () => load(names), [names.join('\n'), revision.value])
  if (!found) return <Page title="Relations" status="Loading…" children="" />
  const { tables, relations, diagram } = found
  const isActive = ({ from, to }: Relation): boolean => from === active || to === active
  return (
    <Page
      title="Relations"
      status={`${relations.length} foreign keys between ${tables.length} collections`}
    >
      {tables.length === 0 && (
        <div class="empty">
          <Icon of={Waypoints} />
          No collections yet.
        </div>
      )}
      <div class="diagram" style={{ width: `${diagram.width}px`, height: `${diagram.height}px` }}>
        <svg width={diagram.width} height={diagram.height} aria-hidden="true">
          {relations.map((one) => (
            <path
              key={`${one.from} ${one.field}`}
              class={isActive(one) ? 'active' : ''}
              d={lineOf(one, tables, diagram.places)}
            />
          ))}
        </svg>
        {tables.map(({ name, fields, idField }) => {
          const { left = 0, top = 0 } = diagram.places.get(name) ?? {}
          const resource = resources.find((one) => one.name === name)
          return (
            <article
              key={name}
              class="table"
              style={{ left: `${left}px`, top: `${top}px` }}
              onMouseEnter={() => setActive(name)}
              onMouseLeave={() => setActive(undefined)}
            >
              <h3>
                <a
                  href={hrefOf('data', name)}
                  onFocus={() => setActive(name)}
                  onBlur={() => setActive(undefined)}
                >
                  {name}
                </a>
                <span class="count">
                  {resource?.kind === 'collection' && withCommas(resource.count)}
                </span>
              </h3>
              <ul>
                {fields.map((field) => {
                  const target = relations.find(
                    (one) => one.from === name && one.field.split('.')[0] === field.name,
                  )
                  return (
                    <li key={field.name}>
                      <Icon
                        of={fieldIcon({ ...field, ...(target && { relation: target }) }, idField)}
                      />
                      <span class="name">{field.name}</span>
                      <span class="dim">{target ? target.to : field.format || field.kind}</span>
                    </li>
                  )
                })}
              </ul>
            </article>
          )
        })}
      </div>
    </Page>
  )
}

interface Table {
  name: string
  idField: string
  fields: readonly Field[]
}

const tableWidth = 220
const headHeight = 36
const fieldHeight = 24

async function load(names: readonly string[]): Promise<{
  tables: Table[]
  relations: Relation[]
  diagram: Diagram
}> {
  const [{ Graph, layout }, relations, schemas] = await Promise.all([
    import('@dagrejs/dagre'),
    askRelations(),
    Promise.all(names.map(askSchema)),
  ])
  const tables = names.map((name, at) => ({
    name,
    idField: state.peek()?.resources.find((one) => one.name === name)?.idField ?? '',
    fields: toFields(schemas[at] ?? {}),
  }))
  // Places the boxes so that the lines between them are short.
  const graph = new Graph({ multigraph: true })
  graph.setGraph({ rankdir: 'LR', nodesep: 28, ranksep: 90, marginx: 16, marginy: 16 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const { name, fields } of tables)
    graph.setNode(name, {
      width: tableWidth,
      height: headHeight + fields.length * fieldHeight + 8,
    })
  for (const { from, to } of relations) if (from !== to) graph.setEdge(from, to)
  layout(graph)
  const { width = 0, height: size = 0 } = graph.graph()
  const places = names.map((name) => {
    const { x = 0, y = 0, height = 0 } = graph.node(name)
    return [name, { left: x - tableWidth / 2, top: y - height / 2 }] as const
  })
  return { tables, relations, diagram: { width, height: size, places: new Map(places) } }
}

/** The size of the diagram and the places of its boxes, in pixels. */
interface Diagram {
  width: number
  height: number
  places: ReadonlyMap<string, { left: number; top: number }>
}

/** The curve from the field of a foreign key to the head of the collection that it leads to. */
function lineOf(
  { from, field, to }: Relation,
  tables: readonly Table[],
  places: ReadonlyMap<string, { left: number; top: number }>,
): string {
  const [start, end] = [places.get(from), places.get(to)]
  const table = tables.find(({ name }) => name === from)
  if (!start || !end || !table) return ''
  const at = table.fields.findIndex(({ name }) => name === field.split('.')[0])
  const y1 = start.top + headHeight + (at + 0.5) * fieldHeight
  const y2 = end.top + headHeight / 2
  const isRightwards = end.left > start.left
  const x1 = start.left + (isRightwards ? tableWidth : 0)
  const x2 = end.left + (isRightwards ? 0 : tableWidth)
  const bend = isRightwards ? 60 : -60
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`
}
