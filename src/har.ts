// The entry `fixtura/har`: the log of a mock as an HTTP archive (HAR).
export type {
  Har,
  HarContent,
  HarCookie,
  HarEntry,
  HarOptions,
  HarPair,
  HarParam,
  HarPostData,
  HarRequest,
  HarResponse,
} from './core/har/har.ts'
export { toHar } from './core/har/to-har.ts'
