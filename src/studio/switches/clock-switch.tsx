import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { Group } from './group.tsx'
import { change, useControl } from './use-control.ts'

/** The clock of the mock, which can be set and moved forward. */
export function ClockSwitch(): VNode {
  const { time } = useControl('clock', { time: '' })
  const [text, setText] = useState('')
  const set = (event: Event): void => {
    event.preventDefault()
    if (text !== '') change('clock', 'PUT', text)
  }
  return (
    <Group title="Clock">
      <p>
        <time dateTime={time}>{time}</time>
      </p>
      <form class="bar" onSubmit={set}>
        <input
          aria-label="Time"
          placeholder="2026-05-01T09:00:00Z"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <button>Set</button>
      </form>
      <div class="bar">
        {['1m', '1h', '1d'].map((span) => (
          <button key={span} type="button" onClick={() => change('clock/advance', 'POST', span)}>
            + {span}
          </button>
        ))}
      </div>
    </Group>
  )
}
