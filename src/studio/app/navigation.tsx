import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { SearchField } from '../parts/search-field.tsx'
import { withCommas } from '../parts/with-commas.ts'
import { hrefOf, place } from './router.ts'
import { type Resource, state } from './state.ts'

/** Lists the resources with their counts, as links to their data. A long list has a field that searches the list. */
export function Navigation(): VNode | null {
  const [text, setText] = useState('')
  const resources = state.value?.resources ?? []
  const wanted = text.toLowerCase()
  const shown = resources.filter(({ name }) => name.toLowerCase().includes(wanted))
  if (state.value && resources.length === 0) return null
  return (
    <nav class="side" aria-label="Resources">
      {resources.length > 12 && (
        <SearchField label="Search resources" text={text} onInput={setText} />
      )}
      <ul>
        {shown.map((one) => (
          <li key={one.name}>
            <ResourceLink {...one} />
          </li>
        ))}
      </ul>
    </nav>
  )
}

function ResourceLink({ name, kind, count }: Resource): VNode {
  const link = useRef<HTMLAnchorElement>(null)
  const { view, name: active } = place.value
  const isCurrent = view === 'data' && name === active
  useEffect(() => {
    if (isCurrent) link.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [isCurrent])
  return (
    <a ref={link} href={hrefOf('data', name)} aria-current={isCurrent ? 'page' : undefined}>
      <span class="name">{name}</span>{' '}
      <span class="count">{kind === 'collection' ? withCommas(count) : kind}</span>
    </a>
  )
}
