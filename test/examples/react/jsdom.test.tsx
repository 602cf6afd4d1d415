// @vitest-environment jsdom
import { describePosts } from './suite.tsx'

describePosts('jsdom')
