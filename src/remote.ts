// The entry `fixtura/remote`: a client that controls a running mock, such as `mock server`.
export { connect, type ConnectOptions } from './remote/connect.ts'
export type {
  RemoteClock,
  RemoteDb,
  RemoteDbOf,
  RemoteLog,
  RemoteMock,
  RemoteResource,
  RemoteRule,
  RemoteRuleEffects,
  RemoteRuleHandle,
  RemoteRuleList,
  RemoteScenarios,
  RemoteState,
} from './remote/types.ts'
