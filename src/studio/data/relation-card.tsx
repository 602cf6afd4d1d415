import { type Signal, signal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { place } from '../app/router.ts'
import type { Row } from '../app/state.ts'
import { labelOf } from '../../core/json/label-of.ts'
import { Value } from './value.tsx'

/** Shows the first fields of a record below a link to the record, after a moment. */
export function showCard(anchor: HTMLElement, collection: string, record: Row): void {
  hideCard()
  const { left, bottom } = anchor.getBoundingClientRect()
  timer = setTimeout(() => (card.value = { collection, record, left, top: bottom + 6 }), 250)
}

/** Hides the card. */
export function hideCard(): void {
  clearTimeout(timer)
  card.value = undefined
}

/** The card of {@link showCard}, over every view. */
export function RelationCard(): VNode | null {
  const shown = card.value
  // A link that another place removes gets no event.
  useEffect(hideCard, [place.value])
  if (!shown) return null
  const { collection, record, left, top } = shown
  const style = {
    left: `${Math.min(left, innerWidth - 300)}px`,
    top: `${Math.min(top, innerHeight - 200)}px`,
  }
  return (
    <div class="card" role="tooltip" style={style}>
      <strong>{labelOf(record)}</strong> <span class="dim">{collection}</span>
      <dl>
        {Object.entries(record)
          .slice(0, 6)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <Value value={value} />
              </dd>
            </div>
          ))}
      </dl>
    </div>
  )
}

interface Card {
  collection: string
  record: Row
  left: number
  top: number
}

const card: Signal<Card | undefined> = signal(undefined)

let timer: ReturnType<typeof setTimeout> | undefined
