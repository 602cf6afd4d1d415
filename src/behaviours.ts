export { stages, type Behaviour, type Hook, type Hooks, type World } from './core/http/behaviour.ts'
export { onLeave, type Exchange, type View, type Write } from './core/http/exchange.ts'
