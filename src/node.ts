// The entry `fixtura/node`: mocks from fixture files, and their HTTP server.
export { loadMock, type LoadMockOptions } from './load/load-mock.ts'
export type { FileConfig } from './core/mock/file-config.ts'
export type { Diagnostic } from './core/fixtures/source.ts'
export type { LoadFrom } from './load/config/resolve-config.ts'
export { serve, type Serving } from './faces/node/serve.ts'
export type { Middleware, MiddlewareFile, ServeOptions } from './core/mock/serve-options.ts'
export { watch, type WatchedChange, type Watching, type WatchOptions } from './load/watch.ts'
export { isolate, type IsolatedMock as World } from './isolation/isolate.ts'
