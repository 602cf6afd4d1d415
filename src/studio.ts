// The entry `fixtura/studio`: the studio, the page at `/`, as a part of the bundle of a worker.
export { type Studio, studio } from './faces/worker/studio.ts'
