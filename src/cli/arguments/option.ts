import type { FileConfig } from '../../core/mock/file-config.ts'

/** One option of the command line. */
export type Option = Flag | TextOption

/** An option that takes no value: it is on, or with `=false` off. */
interface Flag extends Described {
  type: 'flag'
  /** What it says in the words of a configuration file. */
  toConfig(isOn: boolean): FileConfig
}

/** An option that takes a value. */
interface TextOption extends Described {
  type: 'text'
  /** What it says in the words of a configuration file. @throws MockError when it says nothing */
  toConfig(value: string): FileConfig
}

interface Described {
  /** As it is typed, without the dashes. */
  name: string
  /** One letter. */
  alias?: string
  description: string
  /** What holds without it, in words. */
  default?: string
  /** The environment variable that gives it where the command line does not. */
  env?: string
}
