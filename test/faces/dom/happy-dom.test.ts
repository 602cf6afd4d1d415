// @vitest-environment happy-dom
import { describePages } from './suite.ts'

describePages('happy-dom')
