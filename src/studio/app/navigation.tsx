import {
  Activity,
  BookOpen,
  Braces,
  FilePenLine,
  FileText,
  House,
  Send,
  SlidersHorizontal,
  Table2,
  TriangleAlert,
  Waypoints,
  type IconNode,
} from 'lucide'
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { addressOf } from '../control.ts'
import { hasReference } from '../host.ts'
import { DownloadButton } from '../parts/download-button.tsx'
import { TextInput, Icon } from '../parts/controls.tsx'
import { withCommas } from '../parts/with-commas.ts'
import { hrefOf, place } from './router.ts'
import { type Resource, state } from './state.ts'
import { status } from './status.ts'

/** The views of the navigation: the first segment of the place, the label, the label on a phone, the icon and the key after `g`. */
export const viewLinks: readonly [
  view: string,
  label: string,
  short: string,
  icon: IconNode,
  key: string,
][] = [
  ['', 'Start', 'Start', House, 'h'],
  ['data', 'Data', 'Data', Table2, 'd'],
  ['requests', 'Requests', 'Requests', Activity, 'r'],
  ['send', 'Send a request', 'Send', Send, 's'],
  ['changes', 'Changes', 'Changes', FilePenLine, 'c'],
  ['switches', 'Switches', 'Switches', SlidersHorizontal, 'w'],
  ['relations', 'Relations', 'Relations', Waypoints, 'm'],
  ['problems', 'Problems', 'Problems', TriangleAlert, 'p'],
]

/** Links to the views, with the number of changes. */
export function ViewNavigation(): VNode {
  const { total } = status.value.changes
  return (
    <nav class="views" aria-label="Views">
      {viewLinks.map(([view, label, short, icon]) => (
        <a
          key={view}
          href={hrefOf(view)}
          aria-current={place.value.view === view ? 'page' : undefined}
        >
          <Icon of={icon} />
          <span class="label" data-short={short}>
            {label}
          </span>
          {view === 'changes' && total > 0 && <span class="count">{withCommas(total)}</span>}
        </a>
      ))}
    </nav>
  )
}

/** Lists the resources with their counts, as links to their data. A long list has a field that searches the list. */
export function ResourceNavigation({ isOpen, onEnd }: ResourceNavigationProps): VNode {
  const [text, setText] = useState('')
  const resources = state.value?.resources ?? []
  const wanted = text.toLowerCase()
  const shown = resources.filter(({ name }) => name.toLowerCase().includes(wanted))
  return (
    <div class={`drawer ${isOpen ? 'open' : ''}`} onClick={onEnd}>
      <nav class="side" aria-label="Resources">
        <h2 class="caption">Collections</h2>
        {resources.length > 12 && (
          <div onClick={(event) => event.stopPropagation()}>
            <TextInput
              type="search"
              dir="auto"
              label="Search resources"
              placeholder="Search resources"
              value={text}
              onText={setText}
            />
          </div>
        )}
        <ul>
          {shown.map((one) => (
            <li key={one.name}>
              <ResourceLink {...one} />
            </li>
          ))}
        </ul>
        {hasReference ? (
          <a href={addressOf('docs')}>
            <Icon of={BookOpen} />
            API reference
          </a>
        ) : (
          <DownloadButton path="openapi.json" file="openapi.json" text="OpenAPI document" />
        )}
      </nav>
    </div>
  )
}

/** The properties of {@link ResourceNavigation}: on a phone, the list is a drawer. */
interface ResourceNavigationProps {
  isOpen: boolean
  onEnd(): void
}

const kindIcons: Readonly<Record<Resource['kind'], IconNode>> = {
  collection: Table2,
  singleton: Braces,
  document: FileText,
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
      <Icon of={kindIcons[kind]} />
      <span class="name">{name}</span>{' '}
      <span class="count">{kind === 'collection' ? withCommas(count) : kind}</span>
    </a>
  )
}
