import { UsersRound, X } from 'lucide'
import type { VNode } from 'preact'
import { session } from '../control.ts'
import { Press } from '../parts/action-button.tsx'
import { Group } from './group.tsx'
import { RuleForm } from './rule-form.tsx'
import { change, useControl } from './use-control.ts'

/**
 * Lists the sessions (copies of the mock, one for each client), shows the page of another session, and ends
 * sessions.
 */
export function SessionsSwitch(): VNode {
  return (
    <Group
      title="Sessions"
      icon={UsersRound}
      text="A client that names a session by X-Mock-Session has data, rules and a log of its own."
      behaviour="sessions"
      option="--session-ttl 30m"
    >
      <Picker />
    </Group>
  )
}

function Picker(): VNode {
  const sessions = useControl<{ name: string; used: number }[]>('sessions', [])
  return (
    <>
      <ul>
        <li>
          <a href={hrefOf(null)} aria-current={session === null ? 'true' : undefined}>
            shared by all without a session
          </a>
        </li>
        {sessions.map((one) => (
          <li key={one.name}>
            <a href={hrefOf(one.name)} aria-current={session === one.name ? 'true' : undefined}>
              {one.name}
            </a>{' '}
            <Press
              icon={X}
              kind="icon"
              label={`End the session ${one.name}`}
              run={() => change('sessions', 'DELETE', one.name)}
            />
          </li>
        ))}
      </ul>
      <RuleForm
        inputs={[['name', 'Name of the session', 'test-1']]}
        button="Show the session"
        onAdd={async ({ name }) => {
          if (name !== undefined) location.assign(hrefOf(name))
          return false
        }}
      />
    </>
  )
}

/** The URL of the same place for another session. */
function hrefOf(name: string | null): string {
  const params = new URLSearchParams(location.search)
  if (name === null) params.delete('session')
  else params.set('session', name)
  return `?${params}${location.hash}`
}
