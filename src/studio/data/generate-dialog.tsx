import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { ownValue } from '../../core/json/json.ts'
import { type Resource, revision, type Row } from '../app/state.ts'
import { ask } from '../control.ts'
import { ActionDialog, TextInput } from '../parts/controls.tsx'
import { plural, withCommas } from '../parts/with-commas.ts'
import { useOutcome } from '../parts/use-loaded.ts'
import { withFieldsOf } from './ask-fields.ts'
import { Value } from './value.tsx'
import { generateRecords } from './edits.ts'
import type { Field } from './fields.ts'

/** Adds records that look like those of a collection, after a preview of the first ones. */
export function GenerateDialog({ resource, fields, onEnd }: GenerateDialogProps): VNode {
  const { name } = resource
  const [count, setCount] = useState('10')
  const [seed, setSeed] = useState('1')
  const number = Number(count)
  const isValid = /^\d+$/.test(count) && number >= 1 && number <= maxCount
  const shown = isValid ? Math.min(previewCount, number) : 0
  const { value: preview, problem } = useOutcome(async () => {
    const input = { collection: name, count: shown, seed: toSeed(seed), preview: true }
    return shown === 0 ? undefined : ask<Preview>('generate', { method: 'POST', input })
  }, [name, shown, seed, revision.value])
  const canAdd = isValid && preview !== undefined && problem === ''

  return (
    <ActionDialog
      title={`Generate ${name}`}
      class="generate"
      button={isValid ? `Add ${plural(number, 'record')}` : 'Add records'}
      problem={problem}
      isDisabled={!canAdd}
      run={async () => generateRecords(resource, { count: number, seed: toSeed(seed) })}
      onEnd={onEnd}
    >
      <div class="bar">
        <label>
          Number of new records{' '}
          <TextInput
            type="number"
            required
            min={1}
            max={maxCount}
            value={count}
            onText={setCount}
          />
        </label>
        <label>
          Seed <TextInput value={seed} onText={setSeed} />
        </label>
      </div>
      <p class="dim" role="status">
        {isValid
          ? preview && problem === '' && describePreview(preview)
          : `Please give a whole number from 1 to ${withCommas(maxCount)}.`}
      </p>
      {canAdd && <PreviewTable {...{ name, fields }} records={preview.records} />}
    </ActionDialog>
  )
}

interface GenerateDialogProps {
  resource: Resource
  fields: readonly Field[]
  onEnd(): void
}

/** The most records that the control API generates at once. */
const maxCount = 10_000

const previewCount = 5

interface Preview {
  records: Row[]
  /** The number of records that the values are drawn from; 0 if they are drawn from a schema. */
  learnedFrom: number
}

/** A seed of digits is a number, so that the command with `--seed` gives the same records. */
function toSeed(text: string): number | string {
  return /^\d{1,15}$/.test(text) ? Number(text) : text
}

function describePreview({ records, learnedFrom }: Preview): string {
  const source = learnedFrom === 0 ? 'From the schema' : `From ${plural(learnedFrom, 'record')}`
  return `${source}. ${records.length === 1 ? 'The new record:' : `The first ${records.length} new records:`}`
}

function PreviewTable({ name, fields, records }: PreviewTableProps): VNode {
  const columns = withFieldsOf(fields, records)
  return (
    <div class="preview" role="region" tabIndex={0} aria-label={`Preview of ${name}`}>
      <table>
        <thead>
          <tr>
            {columns.map((field) => (
              <th key={field.name} scope="col">
                {field.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {records.map((record, row) => (
            <tr key={row}>
              {columns.map((field) => (
                <td key={field.name} dir="auto">
                  <Value value={ownValue(record, field.name)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface PreviewTableProps {
  name: string
  fields: readonly Field[]
  records: readonly Row[]
}
