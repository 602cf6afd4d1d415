import type { VNode } from 'preact'
import { Press } from './action-button.tsx'

/** Buttons that choose which of several contents is shown below. The button of the shown content is pressed. */
export function Tabs({ names, active, onChoose }: TabsProps): VNode {
  return (
    <div class="tabs" role="group" aria-label="View">
      {names.map((name) => (
        <Press text={name} key={name} aria-pressed={name === active} run={() => onChoose(name)} />
      ))}
    </div>
  )
}

interface TabsProps {
  names: readonly string[]
  active: string
  onChoose(name: string): void
}
