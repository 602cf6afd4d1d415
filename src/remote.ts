export { connect, type ConnectOptions } from './remote/connect.ts'
export type {
  RemoteClock,
  RemoteDb,
  RemoteDbOf,
  RemoteLog,
  RemoteMock,
  RemoteRule,
  RemoteRuleEffects,
  RemoteRuleHandle,
} from './remote/types.ts'
