import { signal, type Signal } from '@preact/signals'
import { Plus, RotateCcw, Search, Settings2, Table2, Undo2, type IconNode } from 'lucide'
import type { VNode } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Dialog, Press, Icon } from '../parts/controls.tsx'
import { viewLinks } from './navigation.tsx'
import { undoLast } from './notices.ts'
import { resetMock } from './confirm.tsx'
import { go, hrefOf, place, setParams } from './router.ts'
import { findResource, state } from './state.ts'
import { setTheme, themes } from './theme.ts'
import { root } from '../host.ts'

/** Opens the palette: a list of every place and action, which a text filters. */
export function openPalette(): void {
  shown.value = 'palette'
}

/** The palette or the sheet of keys, over every view. */
export function PaletteDialogs(): VNode | null {
  // A key may be pressed right after the first frame.
  useLayoutEffect(() => {
    const listen = (event: Event): void => press(event as KeyboardEvent)
    root.addEventListener('keydown', listen)
    return () => root.removeEventListener('keydown', listen)
  }, [])
  const end = (): void => {
    shown.value = undefined
  }
  if (shown.value === 'palette') return <Palette onEnd={end} />
  if (shown.value === 'keys') return <KeySheet onEnd={end} />
  return null
}

const shown: Signal<'palette' | 'keys' | undefined> = signal(undefined)

/** A place or an action of the palette. */
interface Command {
  icon: IconNode
  label: string
  /** What kind of command it is. */
  hint: string
  run(): void
}

function commandsFor(text: string): Command[] {
  const resources = state.value?.resources ?? []
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = ({ label, hint }: Command): boolean =>
    words.every((word) => `${label} ${hint}`.toLowerCase().includes(word))
  const all: Command[] = [
    ...resources.map(({ name, kind }) => ({
      icon: Table2,
      label: name,
      hint: kind,
      run: () => go(hrefOf('data', name)),
    })),
    ...viewLinks.map(([view, label, , icon]) => ({
      icon,
      label,
      hint: 'view',
      run: () => go(hrefOf(view)),
    })),
    ...resources
      .filter(({ kind }) => kind === 'collection')
      .map(({ name }) => ({
        icon: Plus,
        label: `New record in ${name}`,
        hint: 'action',
        run: () => go(hrefOf('data', name, { new: '1' })),
      })),
    { icon: Undo2, label: 'Undo the last change', hint: 'action', run: () => void undoLast() },
    { icon: RotateCcw, label: 'Reset the mock', hint: 'action', run: resetMock },
    ...themes.map((theme) => ({
      icon: Settings2,
      label: `Theme: ${theme}`,
      hint: 'setting',
      run: () => setTheme(theme),
    })),
  ]
  // A search matches any text, and so comes last.
  return [...recordCommands(text), ...all.filter(matches)].toSorted(
    (one, other) => Number(one.hint === 'search') - Number(other.hint === 'search'),
  )
}

/** The record that a text such as `posts 3` names, or a search for the text in the shown collection. */
function recordCommands(text: string): Command[] {
  const [, name = '', id = ''] = /^\s*(\S+)[\s/#]+(.+?)\s*$/.exec(text) ?? []
  const named = (state.value?.resources ?? []).filter(
    (one) => one.kind === 'collection' && one.name.startsWith(name),
  )
  const { view, name: active } = place.value
  const records = id === '' ? [] : named
  const isSearched = view === 'data' && text !== '' && findResource(active)?.kind === 'collection'
  return [
    ...records.map((one) => ({
      icon: Table2,
      label: `${one.name} ${id}`,
      hint: 'record by id',
      run: () => go(hrefOf('data', one.name, { record: id })),
    })),
    ...(isSearched
      ? [
          {
            icon: Search,
            label: `Search ${active} for "${text}"`,
            hint: 'search',
            run: () => setParams({ q: text }),
          },
        ]
      : []),
  ]
}

function Palette({ onEnd }: { onEnd(): void }): VNode {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const list = useRef<HTMLUListElement>(null)
  const commands = commandsFor(text).slice(0, 60)
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' })
  }, [at])
  function run(command: Command | undefined): void {
    if (!command) return
    onEnd()
    command.run()
  }
  function move(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setAt((at + step + commands.length) % Math.max(1, commands.length))
    else if (event.key === 'Enter') run(commands[at])
    else return
    event.preventDefault()
  }
  return (
    <Dialog title="Search or jump to" class="palette" onEnd={onEnd}>
      <input
        type="text"
        role="combobox"
        aria-label="Search or jump to"
        aria-expanded="true"
        aria-controls="palette"
        aria-activedescendant={commands[at] && `command-${at}`}
        placeholder="A collection, a record such as posts 3, a view or an action"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setAt(0)
        }}
        onKeyDown={move}
      />
      <ul ref={list} id="palette" role="listbox" aria-label="Commands">
        {commands.map((command, index) => (
          <li
            key={`${command.hint} ${command.label}`}
            id={`command-${index}`}
            role="option"
            aria-selected={index === at}
            onMouseMove={() => setAt(index)}
            onClick={() => run(command)}
          >
            <Icon of={command.icon} />
            <span class="name">{command.label}</span>
            <span class="dim">{command.hint}</span>
          </li>
        ))}
      </ul>
      {commands.length === 0 && <p class="dim">Nothing matches.</p>}
    </Dialog>
  )
}

const keySheet: readonly [
  title: string,
  keys: readonly (readonly [keys: string, text: string])[],
][] = [
  [
    'Anywhere',
    [
      ['Ctrl K', 'search or jump'],
      ['/', 'search the list'],
      ['n', 'new record'],
      ...viewLinks.map(([, label, , , key]) => [`g ${key}`, label] as const),
      ['Ctrl Z', 'undo the last change'],
      ['?', 'these keys'],
    ],
  ],
  [
    'In the grid',
    [
      ['Arrows, Home, End, Page Up/Down', 'move'],
      ['Shift + arrows', 'select cells'],
      ['Enter, F2, or a character', 'edit'],
      ['Enter, Tab, Escape', 'save and go down, save and go right, give up'],
      ['Space', 'select the record; in a cell of true or false, change it'],
      ['Delete', 'set to null, or remove an optional field'],
      ['Ctrl C, Ctrl V', 'copy and paste cells'],
      ['Ctrl D', 'fill down'],
      ['Shift Enter', 'open the record'],
    ],
  ],
  ['In a list of requests', [['Arrows, j, k', 'the next or previous request']]],
]

function KeySheet({ onEnd }: { onEnd(): void }): VNode {
  return (
    <Dialog title="Keys" onEnd={onEnd}>
      <div class="keys">
        {keySheet.map(([title, keys]) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(([key, text]) => (
                <div key={key}>
                  <dt>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{text}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <div class="bar">
        <Press text="Close" run={onEnd} />
      </div>
    </Dialog>
  )
}

/** When `g` was pressed, in milliseconds of the page: the next key may name a view. */
let goPressedAt = -Infinity

function press(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, target, timeStamp } = event
  if (event.defaultPrevented) return
  if ((ctrlKey || metaKey) && key.toLowerCase() === 'k') {
    openPalette()
    event.preventDefault()
    return
  }
  const isIn = (selector: string): boolean => (target as Element).closest(selector) !== null
  if (isIn('input:not([type=checkbox]), textarea, select, dialog, [contenteditable], .json-editor'))
    return
  if ((ctrlKey || metaKey) && key === 'z') {
    void undoLast()
    event.preventDefault()
    return
  }
  if (isIn('[role=grid]') || ctrlKey || metaKey || altKey) return
  const wanted =
    timeStamp - goPressedAt < 1500 ? viewLinks.find(([, , , , one]) => one === key) : undefined
  goPressedAt = key === 'g' ? timeStamp : -Infinity
  if (wanted) go(hrefOf(wanted[0]))
  else if (key === '?') shown.value = 'keys'
  else if (key === '/') root.querySelector<HTMLElement>('.main-part input[type=search]')?.focus()
  else if (key === 'n' && place.value.view === 'data') setParams({ record: undefined, new: '1' })
  else return
  event.preventDefault()
}
