import type { VNode } from 'preact'

/** The properties of {@link Tabs}. */
export interface TabsProps {
  names: readonly string[]
  active: string
  onChoose(name: string): void
}

/** Buttons of which one is pressed, and which choose what is shown below. */
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
