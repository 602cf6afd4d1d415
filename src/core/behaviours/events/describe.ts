import type { OperationDescription, OperationFacts } from '../../http/contract/description.ts'

/**
 * Describes, for the OpenAPI document, the stream of changes that a GET can ask for. `collections` are the streamed
 * collections; all if undefined.
 */
export function describeEvents(
  { method, kind, resource }: OperationFacts,
  collections: readonly string[] | undefined,
): OperationDescription | undefined {
  const isStreamed = resource !== undefined && (collections?.includes(resource) ?? true)
  if (method !== 'GET' || kind === 'document' || kind === 'custom' || !isStreamed) return undefined
  const schema = { type: 'string' }
  const description = 'The last event that the client has received.'
  return {
    notes: ['With `Accept: text/event-stream`, streams the changes as server-sent events.'],
    parameters: [
      { name: 'Last-Event-ID', in: 'header', description, schema },
      { name: 'lastEventId', in: 'query', description, schema },
    ],
    responses: {
      200: {
        description: 'Or a stream of changes.',
        type: 'text/event-stream',
        schema,
        headers: { 'X-Accel-Buffering': { description: '`no` for a stream.', schema } },
      },
    },
  }
}
