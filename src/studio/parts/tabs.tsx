import type { VNode } from 'preact'

/** Buttons that choose which of several contents is shown below. The button of the shown content is pressed. */
export function Tabs({ names, active, onChoose }: TabsProps): VNode {
  return (
    <div class="tabs" role="group" aria-label="View">
      {names.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === active}
          onClick={() => onChoose(name)}
        >
          {name}
        </button>
      ))}
    </div>
  )
}

/** The properties of {@link Tabs}. */
export interface TabsProps {
  names: readonly string[]
  active: string
  onChoose(name: string): void
}
