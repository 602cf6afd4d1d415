// The entry `fixtura/behaviours`: the behaviours that the option `use` takes, such as `auth` and `delay`, and the
// contract of behaviours of your own.
export { auth } from './core/behaviours/auth/auth.ts'
export type { AuthOptions, AuthScheme, OwnerOptions } from './core/behaviours/auth/options.ts'
export { idempotency, type IdempotencyOptions } from './core/behaviours/idempotency.ts'
export { fields } from './core/behaviours/fields/fields.ts'
export type {
  DefaultContext,
  DefaultFunction,
  FieldOptions,
} from './core/behaviours/fields/options.ts'
export { files } from './core/behaviours/files/files.ts'
export type { FileField, FileOptions, UploadOptions } from './core/behaviours/files/options.ts'
export { type StateAction, type StateOptions } from './core/behaviours/states/state-machine.ts'
export { states } from './core/behaviours/states/states.ts'
export { schema, type Schema } from './core/behaviours/schema/schema.ts'
export type { RecordValidator, StandardSchema } from './core/behaviours/shared/standard-schema.ts'
export type { JsonSchema, SchemaObject } from './core/types/json-schema.ts'
export type { FieldDescription, RecordDescription } from './core/types/record-description.ts'
export type { Description } from './core/http/contract/description.ts'
export { stages, type Hook, type Hooks } from './core/http/contract/hooks.ts'
export type { Behaviour, MockContext as World } from './core/http/contract/behaviour.ts'
export {
  type Exchange,
  type ListHook,
  type LoginTokens,
  onLeave,
  type ViewHook,
  type Write,
  type WriteHook,
} from './core/http/contract/exchange.ts'
export type { View } from './core/http/contract/record-view.ts'
export { readJsonBody } from './core/http/resource/body.ts'
export { pause } from './core/http/contract/early-end.ts'
export { createRequestState, type RequestState } from './core/http/contract/exchange.ts'
export type {
  MockRequest,
  MockResponse,
  SocketListener,
  SocketMessage,
} from './core/http/contract/messages.ts'
export { acceptSocket, type Socket } from './core/http/response/sockets.ts'
export { delay, type DelayOptions } from './core/behaviours/delay.ts'
export { type FaultOptions, faults } from './core/behaviours/faults/faults.ts'
export type { FaultRule } from './core/behaviours/faults/fault-rules.ts'
export { limit } from './core/behaviours/limit/limit.ts'
export type { LimitOptions } from './core/behaviours/limit/options.ts'
export type { Delay, Duration } from './core/time/duration.ts'
export { oidc } from './core/behaviours/oidc/oidc.ts'
export type { ClaimsFunction, OidcClient, OidcOptions } from './core/behaviours/oidc/options.ts'
export { proxy } from './faces/proxy/proxy.ts'
export type { ProxyOptions } from './core/behaviours/proxy/options.ts'
export { type Rewrite, rewrite } from './core/behaviours/rewrite.ts'
export type { RewriteRules } from './core/url/express-pattern.ts'
export { type SessionOptions, sessions } from './core/behaviours/sessions.ts'
export { type Version, type VersionOptions, versions } from './core/behaviours/versions.ts'
export { type EventOptions, events } from './core/behaviours/events.ts'
export type { Send } from './core/http/contract/behaviour.ts'
export type { Endpoint } from './core/behaviours/webhooks/delivery.ts'
export { type WebhookOptions, webhooks } from './core/behaviours/webhooks/webhooks.ts'
export {
  type Scenario,
  type ScenarioOptions,
  scenarios,
} from './core/behaviours/scenarios/scenarios.ts'
export {
  type RouteContext,
  type RouteHandler,
  type RouteRow,
  routes,
} from './faces/fetch/routes.ts'
