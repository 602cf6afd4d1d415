// @vitest-environment jsdom
import { describePages } from './suite.ts'

describePages('jsdom')
