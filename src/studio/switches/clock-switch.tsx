import type { VNode } from 'preact'
import { ActionButton } from '../parts/action-button.tsx'
import { LineForm } from '../parts/line-form.tsx'
import { Group } from './group.tsx'
import { change, useControl } from './use-control.ts'

/** Shows the mock's clock, which can be set and moved forward. */
export function ClockSwitch(): VNode {
  const { time } = useControl('clock', { time: '' })
  return (
    <Group title="Clock">
      <p>
        <time dateTime={time}>{time}</time>
      </p>
      <LineForm
        label="Time"
        placeholder="2026-05-01T09:00:00Z"
        button="Set"
        onSubmit={async (text) => text !== '' && change('clock', 'PUT', text)}
      />
      <div class="bar">
        {['1m', '1h', '1d'].map((span) => (
          <ActionButton key={span} onPress={async () => change('clock/advance', 'POST', span)}>
            + {span}
          </ActionButton>
        ))}
      </div>
    </Group>
  )
}
