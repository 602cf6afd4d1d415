// The entry `fixtura`: mocks from data of the program, on every runtime, and the types of mocks.
export {
  createManualClock,
  type Clock,
  type ManualClock,
  type MovableClock,
} from './core/time/clock.ts'
export type { Duration } from './core/time/duration.ts'
export type { Instant } from './core/time/instant.ts'
export type { MockConfig } from './core/mock/config.ts'
export type {
  ComputedContext,
  ComputedFunction,
  ComputedRule,
  ResourceOptions,
  SlugOptions,
} from './core/resources/options.ts'
export type { ResourceAction } from './core/resources/action-options.ts'
export { defineConfig } from './core/mock/file-config.ts'
export type { CollectionDb, DocumentDb, SingletonDb } from './core/types/db-types.ts'
export type { FindCondition, FindOptions, FindSort, FindWhere } from './core/types/find-types.ts'
export type { Conflict, FixtureSource } from './core/fixtures/fixtures.ts'
export type { LogEntry } from './core/log/log.ts'
export type { MockLog } from './core/log/log-search.ts'
export type { NearMiss, NearRoute } from './core/log/near-misses.ts'
export type { DataOf, MockOptions, OpenApiMockOptions } from './core/mock/core-mock.ts'
export type { RequestPattern } from './core/log/request-pattern.ts'
export {
  type FieldErrors,
  type Issue,
  MockError,
  type MockErrorOptions,
} from './core/errors/mock-error.ts'
export type { Route } from './core/http/contract/internals.ts'
export type { Rule, RuleState } from './core/http/rules/rule.ts'
export type { Json, JsonRecord } from './core/json/json.ts'
export { type Operator, operators } from './core/query/operators.ts'
export type { Change } from './core/store/store.ts'
export { createMock, type Mock } from './faces/fetch/create-mock.ts'
