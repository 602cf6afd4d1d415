export { type Studio, studio } from './faces/worker/studio.ts'
