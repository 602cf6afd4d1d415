import type { BoundOperation } from '../dialects/contract/openapi-source.ts'
import type { BoundDocument } from './bind.ts'

/** Describes what each operation was taken for. */
export function describeBindings({ bindings }: BoundDocument): BoundOperation[] {
  return bindings.map(({ operation, action, collection, view, isCorrected }) => ({
    method: operation.method,
    path: operation.path,
    action,
    ...(collection !== undefined && { collection }),
    ...(view.keys.length > 0 && { envelope: view.keys.join('.') }),
    isCorrected,
    place: operation.part.uri,
  }))
}
