// @vitest-environment happy-dom
import { describePosts } from './suite.tsx'

describePosts('happy-dom')
