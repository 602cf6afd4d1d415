import type { AnyMock } from '../http/contract/any-mock.ts'
import type { CoreMock } from './core-mock.ts'

/** A mock as users see it, without the functions for faces, behaviours and the control API. */
export interface PublicMock<Data = Record<string, unknown>>
  extends
    AnyMock,
    Pick<
      CoreMock<Data>,
      | 'base'
      | 'clock'
      | 'db'
      | 'follow'
      | 'log'
      | 'on'
      | 'onRequest'
      | 'reset'
      | 'restore'
      | 'routes'
      | 'rules'
      | 'snapshot'
      | 'snapshots'
      | 'subscribe'
    > {}
