export { serve, type ServeOptions, type Serving } from './faces/node/serve.ts'
