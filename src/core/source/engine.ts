import type { Flatten } from '../json/flat-schema.ts'
import { createJsonSchemas } from '../behaviours/schema/json-schema.ts'
import { type Issue, MockError } from '../errors/mock-error.ts'
import type { Part } from '../json/documents.ts'
import type { Problem, SourceDocument } from './document.ts'

/** Compiles the schemas of a document when they are first needed; a schema with a mistake accepts everything. */
export function createEngine({ root, problems }: SourceDocument, flatten: Flatten): Engine {
  let compile: ReturnType<typeof createJsonSchemas> | undefined
  const known = new Map<string, Validate>()

  function validatorOf({ uri }: Part): Validate {
    const found = known.get(uri)
    if (found) return found
    const validate = create(uri, problems)
    known.set(uri, validate)
    return validate
  }

  function create(uri: string, reported: Problem[]): Validate {
    try {
      compile ??= createJsonSchemas({ document: root })
      return compile('document', uri)
    } catch (error) {
      if (!(error instanceof MockError || error instanceof RangeError)) throw error
      reported.push({ place: uri, reason: `its values are not checked: ${error.message}` })
      return () => []
    }
  }

  return {
    issues: (part, value) => validatorOf(part)(value),
    accepts: (part, value) => validatorOf(part)(value).length === 0,
    requestIssues(part, value) {
      const issues = validatorOf(part)(value)
      return issues.filter((issue) => !isReadOnly(issue, part, flatten))
    },
  }
}

/** Validates values by the schemas of a document. */
export interface Engine {
  issues(part: Part, value: unknown): Issue[]
  accepts(part: Part, value: unknown): boolean
  /** The issues of a body: clients leave out fields that are read-only. */
  requestIssues(part: Part, value: unknown): Issue[]
}

type Validate = (value: unknown) => Issue[]

function isReadOnly({ path, keyword }: Issue, part: Part, flatten: Flatten): boolean {
  if (keyword !== 'required') return false
  let flat = flatten(part)
  for (const key of path) {
    const [inner] = typeof key === 'number' ? [flat.items] : (flat.properties.get(key) ?? [])
    if (!inner) return false
    flat = flatten(inner)
  }
  return flat.limits['readOnly'] === true
}
