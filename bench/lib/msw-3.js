// `node --import ./bench/lib/msw-3.js` reads MSW 3 where a module asks for `msw`.
import { registerHooks } from 'node:module'

registerHooks({
  resolve: (name, context, next) => next(name.replace(/^msw(?=\/|$)/, 'msw3'), context),
})
