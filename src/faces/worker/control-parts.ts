import type { Controls } from '../../core/control/contract.ts'
import { controls } from '../../core/control/routes.ts'
import { MockError } from '../../core/errors/mock-error.ts'

/** The endpoints of a worker's control API; those of a part left out respond with the option to set. */
export function toControls(parts: ControlParts): Controls[] {
  return [controls, ...(['documents', 'har'] as const).map((part) => parts[part] ?? missing(part))]
}

/** The parts of the control API that a worker has only if its options name them. */
export interface ControlParts {
  /** The `documents` of `fixtura/worker`: the OpenAPI document and the JSON Schemas. @default none */
  documents?: Controls
  /** The `har` of `fixtura/worker`: the log as an HTTP archive. @default none */
  har?: Controls
}

const optional: Readonly<Record<keyof ControlParts, readonly string[]>> = {
  documents: ['openapi.json', 'openapi.yaml', 'schema', 'relations'],
  har: ['log.har'],
}

function missing(part: keyof ControlParts): Controls {
  const refuse = (): never => {
    throw new MockError(
      `Failed to find the control: the worker is built without "${part}". Please import "${part}" from "fixtura/worker", and add it to the second argument of createWorker.`,
      { status: 404, code: 'NOT_FOUND' },
    )
  }
  return Object.fromEntries(optional[part].map((name) => [name, { GET: refuse, 'GET *': refuse }]))
}
