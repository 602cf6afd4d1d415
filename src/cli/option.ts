import type { FileConfig } from '../core/file-config.ts'

/** One option of the command line. */
export interface Option {
  /** As it is typed, without the dashes. */
  name: string
  /** One letter. */
  alias?: string
  /** A flag takes no value. */
  type: 'text' | 'flag'
  description: string
  /** What holds without it, in words. */
  default?: string
  /** The environment variable that gives it where the command line does not. */
  env?: string
  /** What it says in the words of a configuration file. @throws MockError when it says nothing */
  toConfig(value: string): FileConfig
}
