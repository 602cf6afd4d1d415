import type { Difference } from './difference.ts'

/**
 * Describes a difference in words for the output of `mock drift`, without its path: `string there, integer
 * here, such as "12"`.
 */
export function describeDifference({ kind, here, there, example }: Difference): string {
  const such = example === undefined || kind === 'null' ? '' : `, such as ${toExample(example)}`
  switch (kind) {
    case 'missing there':
      return `missing there, ${here} here${such}`
    case 'missing here':
      return `missing here, ${there} there${such}`
    case 'renamed':
      return `named ${there} there, ${here} here`
    case 'optional':
    case 'null':
    case 'status':
    case 'list':
    case 'page size':
    case 'kind':
      return `${there} there, ${here} here`
    default:
      return `${there} there, ${here} here${such}`
  }
}

/** The length of the longest example in a line, in characters. */
const maxExample = 40

function toExample(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > maxExample ? `${text.slice(0, maxExample - 1)}…` : text
}
