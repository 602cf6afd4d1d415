export { auth } from './core/behaviours/auth.ts'
export type { AuthOptions, AuthScheme, OwnerOptions } from './core/behaviours/auth-options.ts'
export { idempotency, type IdempotencyOptions } from './core/behaviours/idempotency.ts'
export { fields, type FieldOptions } from './core/behaviours/fields.ts'
export { type StateAction, type StateOptions } from './core/behaviours/state-options.ts'
export { states } from './core/behaviours/states.ts'
export { schema, type StandardSchema } from './core/behaviours/schema.ts'
export type { JsonSchema } from './core/behaviours/json-schema.ts'
export { stages, type Behaviour, type Hook, type Hooks, type World } from './core/http/behaviour.ts'
export {
  type Exchange,
  type ListHook,
  onLeave,
  type View,
  type ViewHook,
  type Write,
  type WriteHook,
} from './core/http/exchange.ts'
export type { MockRequest, MockResponse } from './core/http/messages.ts'
export { delay, type DelayOptions } from './core/behaviours/delay.ts'
export { type FaultOptions, faults } from './core/behaviours/faults.ts'
export type { FaultRule } from './core/behaviours/fault-rules.ts'
export { limit } from './core/behaviours/limit.ts'
export type { LimitOptions } from './core/behaviours/limit-options.ts'
export type { Delay, Duration } from './core/duration.ts'
export { type SessionOptions, sessions } from './core/behaviours/sessions.ts'
export { type Version, type VersionOptions, versions } from './core/behaviours/versions.ts'
export { type EventOptions, events } from './core/behaviours/events.ts'
export type { Send } from './core/http/behaviour.ts'
export type { Endpoint } from './core/behaviours/webhook-delivery.ts'
export { type WebhookOptions, webhooks } from './core/behaviours/webhooks.ts'
export { type Scenario, type ScenarioOptions, scenarios } from './core/behaviours/scenarios.ts'
export {
  type RouteContext,
  type RouteHandler,
  type RouteRow,
  routes,
} from './faces/fetch/routes.ts'
