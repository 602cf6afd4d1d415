import { File, Maximize2 } from 'lucide'
import type { VNode } from 'preact'
import type { Row } from '../app/state.ts'
import { decode } from '../../core/url/pattern.ts'
import { setParams } from '../app/router.ts'
import { Icon } from '../parts/controls.tsx'
import { type Field, valueOf } from './fields.ts'
import { hideCard, showCard } from './relation-card.tsx'
import { labelOf } from '../../core/json/label-of.ts'
import { referredRecord } from './labels.ts'
import { keysOf, recordHref } from './relations.ts'
import { linkOf, Value } from './value.tsx'

/**
 * Shows a value in the grid: an id as a link that opens its record, a foreign key as a link with the name of the
 * record, an enum as a badge, any other value as text.
 */
export function CellContent({ name, record, field, idField }: CellContentProps): VNode {
  const value = valueOf(record, field)
  const { relation, kind } = field
  if (field.name === idField) {
    const open = (event: MouseEvent): void => {
      if (event.ctrlKey || event.metaKey) return
      event.preventDefault()
      setParams({ record: String(value), new: undefined })
    }
    return (
      <a
        tabIndex={-1}
        class="id"
        href={recordHref(name, value)}
        title={`Open ${String(value)}`}
        onClick={open}
      >
        {String(value)}
        <Icon of={Maximize2} />
      </a>
    )
  }
  if (relation && value !== null && value !== undefined) {
    const keys = keysOf(record, relation)
    if (keys.length > 0)
      return (
        <>
          {keys.map((id) => (
            <RelationChip key={id} to={relation.to} id={id} />
          ))}
        </>
      )
  }
  if (field.isFile && value && typeof value !== 'number' && linkOf(value) === undefined)
    return <>{[value].flat().map(fileContent)}</>
  const at = kind === 'enum' && typeof value === 'string' ? field.values.indexOf(value) : -1
  if (at >= 0) return <span class={`badge tone-${tones[at % tones.length]}`}>{String(value)}</span>
  return <Value value={value} />
}

/** Shows a file: an image that the record holds as a thumbnail, any other file by its name. */
function fileContent(value: unknown): VNode {
  const text = String(value)
  if (text.startsWith('data:image/')) return <Value value={text} />
  const [, named = ''] = /^data:[^,]*;name=([^;,]*)/.exec(text) ?? []
  // A stored file begins with a random text.
  const name =
    decode(named) ||
    text
      .split('/')
      .at(-1)
      ?.replace(/^[\da-z]{16}-/, '')
  return (
    <span class="badge">
      <Icon of={File} /> {name}
    </span>
  )
}

/** Shows a foreign key as the name of its record and the id, a link; a card shows more of the record. */
export function RelationChip({ to, id, tabIndex = -1 }: RelationChipProps): VNode {
  const record = referredRecord(to, id)
  const label = labelOf(record)
  const name = label !== '' && <span class="name">{label}</span>
  const isWhole = tabIndex === 0
  return (
    <span
      class={`relation ${record === null ? 'bad' : ''}`}
      title={record === null ? `There is no record ${id} in ${to}.` : undefined}
      onMouseEnter={({ currentTarget }) => record && showCard(currentTarget, to, record)}
      onFocusIn={({ currentTarget }) => record && showCard(currentTarget, to, record)}
      onMouseLeave={hideCard}
      onFocusOut={hideCard}
    >
      {!isWhole && name}
      <a
        tabIndex={tabIndex}
        href={recordHref(to, id)}
        title={`Open ${to} ${id}`}
        onClick={hideCard}
      >
        {isWhole && name} {id}
      </a>
    </span>
  )
}

interface RelationChipProps {
  to: string
  id: string
  /** 0 outside of the grid, where the name belongs to the link, too. */
  tabIndex?: number
}

/** The colours of the values of an enum, in their order. */
const tones = ['info', 'good', 'warn', 'violet', 'teal', 'bad']

interface CellContentProps {
  name: string
  record: Row
  field: Field
  idField: string
}
