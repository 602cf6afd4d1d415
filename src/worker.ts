// The entry `fixtura/worker`: a mock as a Cloudflare Worker, and the parts that its bundle includes on request.
export { archiveControls as har } from './core/control/archive.ts'
export type { Controls } from './core/control/contract.ts'
export { documentControls as documents } from './core/control/documents.ts'
export { createWorker, type MockWorker } from './faces/worker/create-worker.ts'
export {
  createProjectWorker,
  type ProjectFile,
  type ProjectImports,
} from './faces/worker/project-worker.ts'
export type { WorkerConfig, WorkerOptions, SessionLimits } from './faces/worker/options.ts'
export type {
  DurableObject,
  DurableObjectClass,
  ObjectNamespace,
  ObjectState,
  ObjectStorage,
  SqlStorage,
  WorkerEnv,
} from './faces/worker/runtime.ts'
