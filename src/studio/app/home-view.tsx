import { BookOpen, Copy, ExternalLink, FilePlus2, Table2, WandSparkles } from 'lucide'
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { addressOf } from '../control.ts'
import { hasReference, isLinked } from '../host.ts'
import { Press, Icon } from '../parts/controls.tsx'
import { copyText } from '../parts/copy-text.ts'
import { plural, withCommas } from '../parts/with-commas.ts'
import { RequestRow } from '../requests/request-row.tsx'
import { entries, keyOf, showLog } from './live.ts'
import { ProblemList } from './problems-view.tsx'
import { hrefOf } from './router.ts'
import { state, type Resource } from './state.ts'
import { status } from './status.ts'

/** The start page: the address of the mock, the collections, the last requests and the problems. */
export function HomeView(): VNode {
  useEffect(showLog, [])
  const [isAdding, setAdding] = useState(false)
  const { base = '', resources = [], behaviours = [] } = state.value ?? {}
  const pages = isLinked ? [] : behaviours.flatMap(({ page = [] }) => page)
  const last = entries.value.slice(-8).toReversed()
  const { problems } = status.value
  const [example] = resources
  const address = `${location.origin}${base}`
  const collections = resources.filter(({ kind }) => kind === 'collection')
  const records = collections.reduce((sum, { count }) => sum + count, 0)
  return (
    <section class="data page start" aria-label="Start">
      <header class="hero">
        <h2>Your mock is running</h2>
        <p class="dim">
          {plural(collections.length, 'collection')}, {plural(records, 'record')}. Point your
          application at this address:
        </p>
        {!isLinked && <CopyLine text={address} label="the address" />}
        <div class="bar">
          <Press
            icon={FilePlus2}
            text="New collection"
            kind="main"
            run={() => setAdding(!isAdding)}
          />
          {collections[0] && (
            <a class="button" href={hrefOf('data', collections[0].name, { generate: '1' })}>
              <Icon of={WandSparkles} />
              Generate records
            </a>
          )}
          {pages.map(({ title, path }) => (
            <a key={path} class="button" href={path} target="_blank">
              <Icon of={ExternalLink} />
              {title}
            </a>
          ))}
          {hasReference && (
            <a class="button" href={addressOf('docs')}>
              <Icon of={BookOpen} />
              Open the docs
            </a>
          )}
        </div>
      </header>
      {isAdding && (
        <section aria-label="New collection">
          <p class="dim">
            A collection is a file in the fixtures folder, which <code>mock server</code> serves at
            once:
          </p>
          <CopyLine text={fileCommand('things')} label="the command" />
        </section>
      )}
      {problems.length > 0 && (
        <section aria-label="Problems">
          <h3>Problems</h3>
          <ProblemList problems={problems.slice(0, 3)} />
        </section>
      )}
      <div class="halves">
        <section aria-label="Collections">
          <h3>Collections</h3>
          {state.value && resources.length === 0 && <NoFixtures />}
          <ul class="lines">
            {resources.map((one) => (
              <ResourceRow key={one.name} {...one} />
            ))}
          </ul>
        </section>
        <section aria-label="Last requests">
          <h3>Last requests</h3>
          {last.length === 0 ? (
            <>
              <p class="dim">No requests yet. Send one from your application or a terminal:</p>
              <CopyLine
                text={`curl ${address}${example?.path.slice(base.length) ?? '/'}`}
                label="the command"
              />
            </>
          ) : (
            <div class="lines">
              <table class="requests short">
                <tbody>
                  {last.map((entry) => (
                    <RequestRow key={keyOf(entry)} entry={entry} />
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </section>
      </div>
    </section>
  )
}

function ResourceRow({ name, path, kind, count }: Resource): VNode {
  const url = `${path}${kind === 'collection' ? '?_limit=5' : ''}`
  return (
    <li>
      <a href={hrefOf('data', name)}>
        <Icon of={Table2} />
        <span class="name">{name}</span>
      </a>
      <span class="count dim">{kind === 'collection' ? withCommas(count) : kind}</span>
      {!isLinked && (
        <>
          <a class="url dim" href={url} target="_blank" rel="noreferrer" title={`GET ${url}`}>
            GET {url} <Icon of={ExternalLink} size={12} />
          </a>
          <CopyButton text={location.origin + url} label={`the address of ${name}`} />
        </>
      )}
    </li>
  )
}

/** A text that a person needs elsewhere, with a button that copies it. */
export function CopyLine({ text, label }: { text: string; label: string }): VNode {
  return (
    <p class="copy-line">
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </p>
  )
}

function CopyButton({ text, label }: { text: string; label: string }): VNode {
  return <Press icon={Copy} kind="icon" label={`Copy ${label}`} run={() => copyText(text)} />
}

/** The message of a mock without fixtures. */
export function NoFixtures(): VNode {
  return (
    <div>
      <p>No fixtures yet. Add a file such as posts.json to the fixtures folder:</p>
      <CopyLine text={fileCommand('posts')} label="the command" />
    </div>
  )
}

function fileCommand(name: string): string {
  return `echo '[{ "id": 1, "title": "First" }]' > fixtures/${name}.json`
}
