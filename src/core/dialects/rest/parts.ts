import { createPart, type Part } from '../../part.ts'
import type * as Asking from './asking.ts'

/** What reads parameters and renders what they lead to. */
export const asking: Part<typeof Asking> = createPart(() => import('./asking.ts'))
