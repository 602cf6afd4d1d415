import type { Tool } from '../tool.ts'
import { logTools } from './log-tools.ts'
import { readTools } from './read-tools.ts'
import { ruleTools } from './rule-tools.ts'
import { stateTools } from './state-tools.ts'
import { writeTools } from './write-tools.ts'

/** All tools that `mock mcp` offers to coding agents. */
export const tools: readonly Tool[] = [
  ...readTools,
  ...writeTools,
  ...ruleTools,
  ...stateTools,
  ...logTools,
]
