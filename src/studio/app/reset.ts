import { plural } from '../parts/with-commas.ts'
import { confirm, removeWithUndo } from './confirm.tsx'
import { status } from './status.ts'

/** Discards all differences from the fixtures, after a question, with an undo. */
export function discardAll(): void {
  const count = plural(status.value.changes.total, 'change')
  confirm({
    title: 'Discard all changes?',
    text: `${count} that ${status.value.changes.total === 1 ? 'is' : 'are'} not saved will be gone. You can undo this.`,
    button: 'Discard',
    run: async () => removeWithUndo('changes', 'DELETE', `Discarded ${count}.`),
  })
}

/** Resets the mock, after a question, with an undo of the data. */
export function resetMock(): void {
  const { total } = status.value.changes
  const lost = total === 0 ? '' : `${plural(total, 'change')} not saved to the fixtures, `
  confirm({
    title: 'Reset the mock?',
    text: `Removes ${lost}all rules, the state of scenarios, the log and sessions, and sets ids and clock back. The data can be undone.`,
    button: 'Reset',
    run: async () => removeWithUndo('reset', 'POST', 'The mock is as it was at the start.'),
  })
}
