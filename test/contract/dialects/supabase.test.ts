import { supabase } from '../../../src/dialects.ts'
import type { MockOptions } from '../../../src/index.ts'
import { contract } from '../../faces.ts'

function blog(): MockOptions<Record<string, unknown>> {
  return {
    dialect: supabase,
    fixtures: {
      posts: [
        { id: 1, title: 'First', views: 10, user_id: 1 },
        { id: 2, title: 'Second', views: 20, user_id: 2 },
        { id: 3, title: 'Third', views: 30, user_id: 1 },
      ],
      users: [
        { id: 1, name: 'Ann' },
        { id: 2, name: 'Bob' },
      ],
    },
  }
}

contract('supabase', blog, [
  [
    'a filter finds records',
    'GET /rest/v1/posts?id=eq.2',
    { status: 200, body: [{ id: 2, title: 'Second', views: 20, user_id: 2 }] },
  ],
])
