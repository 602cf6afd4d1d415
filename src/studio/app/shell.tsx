import type { VNode } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { ChangesView } from '../changes/changes-view.tsx'
import { DataView } from '../data/data-view.tsx'
import { ConflictDialog } from '../record/conflict-dialog.tsx'
import { RelationCard } from '../data/relation-card.tsx'
import { RelationsView } from '../relations/relations-view.tsx'
import { RequestsView } from '../requests/requests-view.tsx'
import { SendView } from '../requests/send-view.tsx'
import { SwitchesView } from '../switches/switches-view.tsx'
import { panel } from '../host.ts'
import { Press, Cross } from '../parts/controls.tsx'
import { ConfirmDialog } from './confirm.tsx'
import { Header } from './header.tsx'
import { HomeView } from './home-view.tsx'
import { ResourceNavigation, ViewNavigation } from './navigation.tsx'
import { notice, undoLast, type Notice } from './notices.ts'
import { PaletteDialogs } from './palette.tsx'
import { ProblemsView } from './problems-view.tsx'
import { go, hrefOf, place } from './router.ts'
import { problem, state } from './state.ts'

/** The frame of the page: the header, the navigation, the view of the current place, and messages. */
export function Shell(): VNode {
  const { name } = place.value
  const view = Object.hasOwn(views, place.value.view) ? place.value.view : ''
  const [title, View] = views[view] ?? ['Start', HomeView]
  const [first] = state.value?.resources ?? []
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  useLayoutEffect(() => {
    if (first && view === 'data' && name === '') go(hrefOf('data', first.name), true)
  }, [view, name, first])
  useEffect(() => {
    if (!panel) document.title = `${view === 'data' && name ? name : title} – Fixtura`
  }, [title, view, name])

  const message = notice.value
  // The main part of an application's page is its own.
  const Main = panel ? 'div' : 'main'
  const isInSight = message?.place === `${place.value.view} ${view === 'data' ? name : ''}`

  return (
    <>
      <Header onMenu={() => setDrawerOpen(!isDrawerOpen)} />
      <ViewNavigation />
      <ResourceNavigation isOpen={isDrawerOpen} onEnd={() => setDrawerOpen(false)} />
      <Main class="main-part">
        <p class="problem strip" role="alert">
          {problem.value}
        </p>
        <View />
      </Main>
      <ConflictDialog />
      <ConfirmDialog />
      <PaletteDialogs />
      <RelationCard />
      <div class="toast">
        <div role="status">{isInSight && !message.isError && <Message {...message} />}</div>
        <div role="alert">{isInSight && message.isError && <Message {...message} />}</div>
      </div>
    </>
  )
}

/** The views of the page, by the first segment of their places. */
const views: Readonly<Record<string, [title: string, view: () => VNode]>> = {
  '': ['Start', HomeView],
  data: ['Data', DataView],
  requests: ['Requests', RequestsView],
  send: ['Send a request', SendView],
  changes: ['Changes', ChangesView],
  switches: ['Switches', SwitchesView],
  relations: ['Relations', RelationsView],
  problems: ['Problems', ProblemsView],
}

function Message({ text, isError, undo }: Notice): VNode {
  return (
    <p class={isError ? 'bad' : ''}>
      {text} {undo && <Press text="Undo" run={undoLast} />}
      <Cross label="Close the message" run={() => (notice.value = undefined)} />
    </p>
  )
}
