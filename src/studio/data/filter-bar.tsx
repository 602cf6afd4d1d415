import { ListFilter } from 'lucide'
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { setParams } from '../app/router.ts'
import { conditionsParam, operators, type Condition, type Listing } from './listing.ts'
import type { Field } from './fields.ts'
import { Choice, TextInput, Press, Cross } from '../parts/controls.tsx'

/** Lets a person search and filter the records of the grid: a search field, and a row of inputs for each condition. */
export function FilterBar({ name, listing, fields }: FilterBarProps): VNode {
  const { search, conditions } = listing
  const [text, setText] = useDelayedText(search, 120, (next) => setParams({ q: next }, true))

  const put = (next: readonly Condition[], isReplaced = true): void =>
    setParams({ filter: conditionsParam(next) }, isReplaced)
  const add = (): void => put([...conditions, [fields[0]?.name ?? 'id', 'eq', '']], false)

  return (
    <div class="filters" role="search">
      <TextInput
        type="search"
        dir="auto"
        label={`Search ${name}`}
        placeholder="Search"
        value={text}
        onText={setText}
      />
      {conditions.map((condition, at) => (
        <FilterRow
          key={at}
          condition={condition}
          fields={fields}
          onChange={(next) => put(conditions.map((one, index) => (index === at ? next : one)))}
          onRemove={() =>
            put(
              conditions.filter((_, index) => index !== at),
              false,
            )
          }
        />
      ))}
      <Press icon={ListFilter} text="Add filter" run={add} />
    </div>
  )
}

interface FilterBarProps {
  name: string
  listing: Listing
  fields: readonly Field[]
}

interface FilterRowProps {
  condition: Condition
  fields: readonly Field[]
  onChange(condition: Condition): void
  onRemove(): void
}

function FilterRow({ condition, fields, onChange, onRemove }: FilterRowProps): VNode {
  const [field, operator, value] = condition
  const [text, setText] = useDelayedText(value, 200, (next) => onChange([field, operator, next]))
  const names = fields.map(({ name }) => name)
  return (
    <span class="filter" role="group" aria-label={`Filter by ${field}`}>
      <Choice
        label="Field"
        value={field}
        options={names.includes(field) ? names : [field, ...names]}
        onChoose={(next) => onChange([next, operator, text])}
      />
      <Choice
        label="Operator"
        value={operator}
        options={Object.entries(operators)}
        onChoose={(next) => onChange([field, next, text])}
      />
      <TextInput
        label="Value"
        dir="auto"
        value={text}
        placeholder={operator === 'in' || operator === 'nin' ? 'a, b' : 'value'}
        onText={setText}
      />
      <Cross label={`Remove the filter by ${field}`} run={onRemove} />
    </span>
  )
}

/**
 * Returns the text of an input, and changes a value once the typing pauses for `delay` milliseconds. A value
 * that others change replaces the text. The value that the text itself has set does not, because more may have
 * been typed meanwhile.
 */
function useDelayedText(
  value: string,
  delay: number,
  onChange: (text: string) => void,
): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(value)
  const known = useRef(value)
  const latest = useRef(onChange)
  latest.current = onChange
  useEffect(() => {
    if (value !== known.current) setText(value)
    known.current = value
  }, [value])
  useEffect(() => {
    if (text === known.current) return undefined
    const timer = setTimeout(() => {
      known.current = text
      latest.current(text)
    }, delay)
    return () => clearTimeout(timer)
  }, [text])
  return [text, setText]
}
