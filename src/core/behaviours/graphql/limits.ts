import {
  type DocumentNode,
  GraphQLError,
  type GraphQLResolveInfo,
  Kind,
  type SelectionSetNode,
} from 'graphql'

/** The limits of operations, so that none occupies the mock. */
export interface OperationLimits {
  /** How deep the fields of an operation may be nested. @default 25 */
  depth?: number
  /** The most fields of a response, those of each record counted. @default 500000 */
  fields?: number
}

/** The most tokens of a document. */
export const maxTokens = 20_000

/** The most fields of a document, those of a fragment counted each time that the fragment is used. */
const maxDocumentFields = 3000

/** Counts the fields of selections, with those of their fragments, in time that is linear in the document. */
export function measure(document: DocumentNode): Measure {
  const fragments = new Map(
    document.definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one.selectionSet] as const] : [],
    ),
  )
  const known = new Map<SelectionSetNode, Size>()

  function sizeOf(set: SelectionSetNode): Size {
    const before = known.get(set)
    if (before) return before
    // A fragment that contains itself is refused by the validation.
    const size: Size = { depth: 0, own: 0, all: 0 }
    known.set(set, size)
    for (const one of set.selections) {
      const inner =
        one.kind === Kind.FRAGMENT_SPREAD ? fragments.get(one.name.value) : one.selectionSet
      const { depth, own, all } = inner ? sizeOf(inner) : size0
      const isField = one.kind === Kind.FIELD
      size.depth = Math.max(size.depth, depth + Number(isField))
      size.own += isField ? 1 : own
      size.all += all + Number(isField)
    }
    return size
  }

  const sizes = document.definitions.flatMap((one) =>
    one.kind === Kind.OPERATION_DEFINITION ? [sizeOf(one.selectionSet)] : [],
  )
  return {
    depth: Math.max(0, ...sizes.map(({ depth }) => depth)),
    fields: Math.max(0, ...sizes.map(({ all }) => all)),
    ownFields: (set) => sizeOf(set).own,
  }
}

const size0 = { depth: 0, own: 0, all: 0 }

interface Size {
  depth: number
  /** The fields of the selection itself. */
  own: number
  /** All fields of the selection, with those that they contain. */
  all: number
}

/** The size of the largest operation of a document. */
export interface Measure {
  depth: number
  fields: number
  /** The number of fields of a selection itself. */
  ownFields(set: SelectionSetNode): number
}

/** @throws GraphQLError for an operation that is nested too deep or has too many fields */
export function checkSize({ depth, fields }: Measure, { depth: most = 25 }: OperationLimits): void {
  if (depth > most) throw tooLarge(`its fields are nested deeper than ${most}`)
  if (fields > maxDocumentFields) throw tooLarge(`it has more than ${maxDocumentFields} fields`)
}

/** Calls a function, and reports that a document is nested too deep for its recursion. @throws GraphQLError */
export function refuseDeep<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (error) {
    throw error instanceof RangeError ? tooLarge('it is nested too deep') : error
  }
}

/** Counts the fields of a response while it is made. */
export interface Budget {
  /** Counts the fields of the found records, and returns null once there are too many. */
  spend<Found>(found: Found, info: GraphQLResolveInfo): Found | null
  /** The error of a response that had too many fields, which replaces the response. */
  error(): GraphQLError | undefined
}

/** Creates the budget of one operation. */
export function createBudget(
  { ownFields }: Measure,
  { fields: most = 500_000 }: OperationLimits,
): Budget {
  let spent = 0
  return {
    spend(found, { fieldNodes }) {
      if (found === null) return null
      let count = 0
      for (const { selectionSet } of fieldNodes) if (selectionSet) count += ownFields(selectionSet)
      spent += (Array.isArray(found) ? found.length : 1) * count
      return spent <= most ? found : null
    },
    error: () => (spent > most ? tooLarge(`its response has more than ${most} fields`) : undefined),
  }
}

function tooLarge(reason: string): GraphQLError {
  return new GraphQLError(`Failed to run the operation: ${reason}. Please ask for less.`, {
    extensions: { code: 'OPERATION_TOO_LARGE' },
  })
}
