// Resolves `msw` to MSW 3: `node --import ./bench/lib/msw-3.js`.
import { registerHooks } from 'node:module'

registerHooks({
  resolve: (name, context, next) => next(name.replace(/^msw(?=\/|$)/, 'msw3'), context),
})
