import { createPart, type Part } from '../part.ts'
import type * as Later from './later.ts'

/** What no plain read needs. */
export const later: Part<typeof Later> = createPart(() => import('./later.ts'))
