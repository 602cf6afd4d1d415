import {
  AlarmClock,
  Ban,
  Clapperboard,
  FilePenLine,
  Hourglass,
  Menu as MenuIcon,
  Moon,
  Search,
  SunMoon,
  Sun,
  TriangleAlert,
  UserRound,
  Wifi,
  WifiOff,
  X,
  Zap,
  type IconNode,
} from 'lucide'
import type { VNode } from 'preact'
import { session } from '../control.ts'
import { Press, Icon } from '../parts/controls.tsx'
import { plural } from '../parts/with-commas.ts'
import { change } from '../switches/use-control.ts'
import { openPalette } from './palette.tsx'
import { discardAll } from './confirm.tsx'
import { hrefOf } from './router.ts'
import { problem } from './state.ts'
import { status } from './status.ts'
import { setTheme, theme, themes } from './theme.ts'

/** The header: the mark, the search, and the state of the mock, each with a button that switches it off. */
export function Header({ onMenu }: { onMenu(): void }): VNode {
  const { problems } = status.value
  return (
    <header class="top">
      <Press icon={MenuIcon} kind="icon phone" label="Collections" run={onMenu} />
      <h1>
        <a href={hrefOf('')}>
          <Mark />
          Fixtura
        </a>
      </h1>
      <button type="button" class="jump" onClick={openPalette}>
        <Icon of={Search} />
        <span>Search or jump to…</span>
        <kbd>Ctrl K</kbd>
      </button>
      <div class="flags" role="group" aria-label="State of the mock">
        {flags().map((flag) => (
          <FlagChip key={flag.label} {...flag} />
        ))}
      </div>
      {problems.length > 0 && (
        <a class="badge tone-warn" href={hrefOf('problems')}>
          <Icon of={TriangleAlert} />
          {plural(problems.length, 'problem')}
        </a>
      )}
      <span
        class={`connection ${problem.value === '' ? 'good' : 'bad'}`}
        title={problem.value || 'Connected to the mock'}
      >
        <Icon of={problem.value === '' ? Wifi : WifiOff} />
        <span class="hidden">{problem.value === '' ? 'Connected' : 'Disconnected'}</span>
      </span>
      <ThemeButton />
    </header>
  )
}

function ThemeButton(): VNode {
  const next = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? 'system'
  const icons = { system: SunMoon, light: Sun, dark: Moon }
  const label = `Theme: ${theme.value}. Change to ${next}`
  return <Press icon={icons[theme.value]} kind="icon" label={label} run={() => setTheme(next)} />
}

/** A part of the state of the mock that makes its answers unusual. */
interface Flag {
  icon: IconNode
  label: string
  tone: string
  /** @default the switches */
  href?: string
  /** The label of the button that switches it off. */
  offLabel: string
  off(): Promise<unknown>
}

function flags(): Flag[] {
  const { isDelayed, faults, scenario, clockOffset, changes } = status.value
  const rules = status.value.rules.filter(({ isOff }) => isOff !== true)
  const [rule] = rules
  const all: (Flag | false)[] = [
    isDelayed && {
      icon: Hourglass,
      label: 'Delays on',
      tone: 'warn',
      offLabel: 'Switch the delays off',
      off: async () => change('delay', 'PUT', { isOn: false }),
    },
    faults.length > 0 && {
      icon: Zap,
      label: plural(faults.length, 'fault'),
      tone: 'bad',
      offLabel: 'Remove the faults',
      off: async () => change('faults/rules', 'DELETE'),
    },
    rule !== undefined && {
      icon: Ban,
      label: rules.length === 1 ? `Rule ${rule.on}` : plural(rules.length, 'rule'),
      tone: 'bad',
      offLabel: rules.length === 1 ? 'Remove the rule' : 'Remove the rules',
      off: async () => change('rules', 'DELETE'),
    },
    scenario !== null && {
      icon: Clapperboard,
      label: `Scenario ${scenario}`,
      tone: 'violet',
      offLabel: 'Leave the scenario',
      off: async () => change('scenarios', 'PUT', null),
    },
    Math.abs(clockOffset) > 5000 && {
      icon: AlarmClock,
      label: `Clock ${describeOffset(clockOffset)}`,
      tone: 'teal',
      offLabel: 'Set the clock to the real time',
      off: async () => change('clock', 'PUT', new Date().toISOString()),
    },
    session !== null && {
      icon: UserRound,
      label: `Session ${session}`,
      tone: 'info',
      offLabel: 'Leave the session',
      // A page belongs to one session as long as it is open.
      off: async () => location.assign(`${location.pathname}${location.hash}`),
    },
    changes.total > 0 && {
      icon: FilePenLine,
      label: plural(changes.total, 'change'),
      tone: 'info',
      href: hrefOf('changes'),
      offLabel: 'Discard the changes',
      off: async () => discardAll(),
    },
  ]
  return all.filter((flag) => flag !== false)
}

function FlagChip({ icon, label, tone, href = hrefOf('switches'), offLabel, off }: Flag): VNode {
  return (
    <span class={`badge tone-${tone}`}>
      <a href={href}>
        <Icon of={icon} />
        {label}
      </a>
      <Press icon={X} kind="off" label={offLabel} run={off} />
    </span>
  )
}

/** How far the clock is from the real time: `+2 d`, `-5 min`. */
export function describeOffset(offset: number): string {
  const units: [size: number, name: string][] = [
    [86_400_000, 'd'],
    [3_600_000, 'h'],
    [60_000, 'min'],
    [1000, 's'],
  ]
  const [size, name] = units.find(([one]) => Math.abs(offset) >= one * 0.99) ?? [1000, 's']
  return `${offset < 0 ? '−' : '+'}${Math.round(Math.abs(offset) / size)} ${name}`
}

/** Draws the mark of Fixtura: three rows of data, the last one in the accent. */
function Mark(): VNode {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M9 10h14M9 16h9M9 22h4" />
      <circle cx="21" cy="21" r="3" />
    </svg>
  )
}
