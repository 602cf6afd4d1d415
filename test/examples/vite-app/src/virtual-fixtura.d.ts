/* eslint-disable */
// Written by fixtura/vite from the fixtures. What is changed here by hand is lost.
declare module 'virtual:fixtura' {
  import type { FixtureSource } from 'fixtura'

  /** The fixtures by name. */
  export interface Fixtures {
    posts: {
      id: number
      title: string
      userId: number
    }[]
    users: {
      id: number
      name: string
    }[]
  }

  /** The fixtures, which follow the files while the dev server runs. For `createMock`. */
  export const fixtures: FixtureSource<Fixtures>

  /** The plugin's `base`. For `createMock`. */
  export const base: string
}
