import { codeOf } from '../core/errors/error-details.ts'
import type { SchemaObject } from '../core/types/json-schema.ts'
import { connect, type ConnectOptions, openClient } from '../remote/connect.ts'
import type { Controllable } from './tool.ts'

/** Connects to the running mock at a URL. @throws MockError when the URL or an option is wrong */
export function createControllable(url: string, options: ConnectOptions): Controllable {
  const { send } = openClient(url, options)
  return {
    url,
    mock: connect(url, options),
    async readSchema(name) {
      const path = name.split('/').map(encodeURIComponent).join('/')
      try {
        return await send<SchemaObject>('GET', `schema/${path}.json`)
      } catch (error) {
        if (codeOf(error) === 'NOT_FOUND') return undefined
        throw error
      }
    },
  }
}
