import type { FileConfig } from '../../core/mock/file-config.ts'
import type { Imports } from './imports.ts'
import type { WorkerProject } from './project.ts'

/** An entry that is being written. */
export interface Entry {
  project: WorkerProject
  imports: Imports
  /** What of the project the worker leaves out, with the reason. */
  omitted: string[]
  /** The source text of an option of the configuration. */
  valueOf(name: keyof FileConfig): string
}
