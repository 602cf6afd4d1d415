import type { VNode } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { ChangesView } from '../changes/changes-view.tsx'
import { DataView } from '../data/data-view.tsx'
import { ConflictDialog } from '../record/conflict-dialog.tsx'
import { RequestsView } from '../requests/requests-view.tsx'
import { SendView } from '../requests/send-view.tsx'
import { SwitchesView } from '../switches/switches-view.tsx'
import { addressOf, session } from '../control.ts'
import { hasReference } from '../host.ts'
import { ActionButton } from '../parts/action-button.tsx'
import { DownloadButton } from '../parts/download-button.tsx'
import { Navigation } from './navigation.tsx'
import { notice, type Notice, undoLast } from './notices.ts'
import { go, hrefOf, place } from './router.ts'
import { problem, state } from './state.ts'

/** The frame of the page: the header, the navigation, the view of the current place, and messages. */
export function Shell(): VNode {
  const { name } = place.value
  const view = Object.hasOwn(views, place.value.view) ? place.value.view : 'data'
  const [title, View] = views[view] ?? ['Data', DataView]
  const [first] = state.value?.resources ?? []
  useLayoutEffect(() => {
    if (first && view === 'data' && name === '') go(hrefOf('data', first.name), true)
  }, [view, name, first])
  const nav = useRef<HTMLElement>(null)
  useEffect(() => nav.current?.querySelector('[aria-current]')?.scrollIntoView(), [view])
  useEffect(() => {
    document.title = `${view === 'data' && name ? name : title} – Fixtura`
  }, [title, view, name])

  return (
    <>
      <header class="top">
        <h1>
          <a href={hrefOf('data')}>Fixtura</a>
        </h1>
        <nav ref={nav} aria-label="Views">
          {Object.entries(views).map(([key, [label]]) => (
            <a key={key} href={hrefOf(key)} aria-current={key === view ? 'page' : undefined}>
              {label}
            </a>
          ))}
          {hasReference && <a href={addressOf('docs')}>API reference</a>}
        </nav>
        {!hasReference && (
          <DownloadButton path="openapi.json" file="openapi.json">
            OpenAPI document
          </DownloadButton>
        )}
        {session !== null && <span class="badge">Session {session}</span>}
      </header>
      <p class="problem strip" role="alert">
        {problem.value}
      </p>
      <div class="body">
        <Navigation />
        <main>
          <View />
        </main>
      </div>
      <ConflictDialog />
      <div class="toast">
        <div role="status">{notice.value?.isError === false && <Message {...notice.value} />}</div>
        <div role="alert">{notice.value?.isError && <Message {...notice.value} />}</div>
      </div>
    </>
  )
}

/** The views of the page, by the first segment of their places. */
const views: Readonly<Record<string, [title: string, view: () => VNode]>> = {
  data: ['Data', DataView],
  requests: ['Requests', RequestsView],
  send: ['Send a request', SendView],
  changes: ['Changes', ChangesView],
  switches: ['Switches', SwitchesView],
}

function Message({ text, isError, undo }: Notice): VNode {
  return (
    <p class={isError ? 'bad' : ''}>
      {text} {undo && <ActionButton onPress={undoLast}>Undo</ActionButton>}
      <button
        type="button"
        class="icon"
        aria-label="Close the message"
        onClick={() => (notice.value = undefined)}
      >
        ×
      </button>
    </p>
  )
}
