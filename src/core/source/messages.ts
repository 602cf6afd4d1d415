import { createDelivery, type Delivery } from '../behaviours/webhooks/delivery.ts'
import type { MockContext, WebhookTarget } from '../http/contract/behaviour.ts'
import { type Exchange, onLeave } from '../http/contract/exchange.ts'
import type { Hooks } from '../http/contract/hooks.ts'
import type { MockResponse } from '../http/contract/messages.ts'
import { inside, keysOf, type Part } from '../json/documents.ts'
import { type FlatSchema, objectOf } from '../json/flat-schema.ts'
import { isRecord, type Json, type JsonRecord, tryJson } from '../json/json.ts'
import { resolveLocal } from '../json/local-reference.ts'
import { scalarText } from '../json/scalar-text.ts'
import type { Change } from '../store/store.ts'
import { pluralOf } from '../text/plurals.ts'
import { parseParams } from '../url/params.ts'
import type { BoundDocument } from './bind.ts'
import type { BoundCollection } from './binding.ts'
import { jsonContent, type Operation, readPath } from './document.ts'
import type { Engine } from './engine.ts'
import { wrap } from './envelope.ts'
import { sharesRecord } from './homes.ts'
import { project, type Tools } from './project.ts'
import { plain } from './record-fields.ts'
import { drawValid } from './respond.ts'
import type { Router } from './router.ts'

/**
 * Sends the `webhooks` of a document after changes of the records that they describe, to one URL, and its `callbacks`
 * after the response of their operation, to the URL that their expression gives (OpenAPI 3.1 §4.8.18).
 */
export function createMessages(
  parts: MessageParts,
  { url, secret, send }: WebhookTarget,
): (world: MockContext) => Hooks {
  const { bound, engine, tools, route } = parts
  const { source, flatten } = bound
  const hooks = keysOf(inside({ value: source.root, uri: '#' }, 'webhooks')).flatMap((name) =>
    describeWebhook(name, parts),
  )

  /** The body of a message: a value in its envelope, else an example. */
  function bodyOf(schema: Part, keys: readonly string[], record: JsonRecord | undefined): Json {
    const part = keys.reduce<Part | undefined>(
      (outer, key) => outer && objectOf(outer, flatten)?.properties.get(key)?.[0],
      schema,
    )
    if (!record || !part) return drawValid(schema, engine, tools)
    const body = wrap(project(record, part, part, tools), schema, keys, () => undefined, tools)
    return engine.accepts(schema, body) ? body : drawValid(schema, engine, tools)
  }

  return (world) => {
    const { clock, random, redactor, service } = world
    let deliveries: Delivery[] = []
    const deliver = (target: string, type: string, body: Json): void => {
      const delivery = createDelivery({
        endpoint: { url: target, ...(secret !== undefined && { secret }) },
        message: {
          id: `msg_${Math.floor(random() * 2 ** 32).toString(36)}`,
          type,
          body: JSON.stringify(body),
        },
        send: send ?? world.send,
        clock,
        redactor,
        delays: [5000, 60_000],
        onGone: () => {},
      })
      deliveries = [...deliveries.slice(-99), delivery]
    }

    service.store.changes.subscribe((change: Change) => {
      if (url === undefined || !('collection' in change) || change.type === 'reloaded') return
      const record =
        'record' in change ? change.record : 'previous' in change ? change.previous : undefined
      for (const { name, collection, verb, schema, keys } of hooks) {
        if (collection !== change.collection || verb !== change.type || !isRecord(record)) continue
        deliver(url, name, bodyOf(schema, keys, record))
      }
    }, 'send a webhook of the OpenAPI document')

    function callBack(exchange: Exchange, response: MockResponse): void {
      const { method, path } = exchange
      const { binding, params } = route(method, path.slice(service.base.length))
      const callbacks = binding ? inside(binding.operation.part, 'callbacks') : undefined
      if (!callbacks || response.status >= 400) return
      const sent = { exchange, response, params }
      for (const name of keysOf(callbacks)) {
        const callback = source.follow(inside(callbacks, name))
        for (const expression of callback ? keysOf(callback) : []) {
          const item = callback && source.follow(inside(callback, expression))
          const target = evaluate(expression, sent)
          const [operation] = item ? readPath(expression, item, source) : []
          const schema = operation && schemaOf(operation)
          if (!operation || !/^https?:\/\//.test(target)) continue
          const answered = parse(response.body)
          const shown =
            schema && sharesRecord(schema, binding?.view.record, flatten) && isRecord(answered)
          deliver(target, name, schema ? bodyOf(schema, [], shown ? answered : undefined) : {})
        }
      }
    }

    const stop = (): void => deliveries.forEach((one) => one.stop())
    return {
      at: {
        auth(exchange) {
          onLeave(exchange, (response) => {
            callBack(exchange, response)
            return response
          })
        },
      },
      controls: { 'GET messages': () => deliveries.map(({ entry }) => entry) as unknown as Json },
      end: stop,
      reset() {
        stop()
        deliveries = []
      },
    }
  }
}

interface MessageParts {
  bound: BoundDocument
  engine: Engine
  tools: Tools
  route: Router
}

interface DescribedWebhook {
  name: string
  collection: string
  verb: string
  schema: Part
  /** The keys that lead to the record in the message. */
  keys: readonly string[]
}

const verbs: readonly (readonly [RegExp, string])[] = [
  [/delet|remov|destroy|cancel/i, 'deleted'],
  [/updat|chang|modif|edit|renam/i, 'updated'],
]

/** Finds the collection whose records a webhook contains, and the change that its name means: `newPet`, `pet.updated`. */
function describeWebhook(name: string, { bound }: MessageParts): DescribedWebhook[] {
  const { source, flatten, collections } = bound
  const item = source.follow(inside(inside({ value: source.root, uri: '#' }, 'webhooks'), name))
  const [operation] = item ? readPath(name, item, source) : []
  const schema = operation && schemaOf(operation)
  if (!schema) return []
  const [, verb] = verbs.find(([pattern]) => pattern.test(name)) ?? [undefined, 'created']
  const members = [...(objectOf(schema, flatten)?.properties ?? [])]
  const places: [keys: string[], part: Part][] = [
    [[], schema],
    ...members.flatMap(([key, [part]]): [string[], Part][] => (part ? [[[key], part]] : [])),
  ]
  const isNamed = ({ name: own }: BoundCollection): boolean =>
    [own, own.replace(/s$/, '')].some(
      (one) => plain(name).includes(plain(one)) || plain(name).includes(plain(pluralOf(one))),
    )
  const candidates = places.flatMap(([keys, part]) =>
    [...collections.values()]
      .filter(({ record }) => record && sharesRecord(part, record, flatten))
      .map((owner) => ({ keys, owner, isExact: entityOf(part) === entityOf(owner.record) })),
  )
  function entityOf(part: Part | undefined): FlatSchema['entity'] {
    return part && objectOf(part, flatten)?.entity
  }
  const found =
    candidates.find(({ isExact, owner }) => isExact && isNamed(owner)) ??
    candidates.find(({ isExact }) => isExact) ??
    candidates.find(({ owner }) => isNamed(owner))
  return found ? [{ name, collection: found.owner.name, verb, schema, keys: found.keys }] : []
}

function schemaOf({ body }: Operation): Part | undefined {
  return body && jsonContent(body.content)?.schema
}

function parse(body: unknown): Json | undefined {
  return typeof body === 'string' ? tryJson(body) : undefined
}

interface Sent {
  exchange: Exchange
  response: MockResponse
  params: Readonly<Record<string, string>>
}

/** Evaluates a runtime expression: `{$request.body#/url}?id={$response.body#/id}` (OpenAPI 3.1 §4.8.20.4). */
function evaluate(expression: string, sent: Sent): string {
  const text = expression.startsWith('$') ? `{${expression}}` : expression
  return text.replaceAll(/\{(\$[^{}]+)\}/g, (_, one: string) => valueOf(one, sent))
}

function valueOf(expression: string, { exchange, response, params }: Sent): string {
  const { method, origin, path, search, headers, body, rawBody } = exchange
  const [, side, place, name = ''] =
    /^\$(request|response)\.(header|query|path|body)[.#]?(.*)$/.exec(expression) ?? []
  if (side === undefined) {
    const facts: Record<string, string> = { $method: method, $url: origin + path + search }
    return expression === '$statusCode' ? String(response.status) : (facts[expression] ?? '')
  }
  if (place === 'path') return params[name] ?? ''
  if (place === 'query') return parseParams(search).find(([key]) => key === name)?.[1] ?? ''
  if (place === 'header') {
    const own = response.headers.find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
    return (side === 'request' ? headers[name.toLowerCase()] : own) ?? ''
  }
  const value = side === 'request' ? (body ?? parse(rawBody)) : parse(response.body)
  return scalarText(resolveLocal(`#${name}`, value))
}
