/** Small data of every kind, the same each time. */
export function createFixtures(): Record<string, unknown> {
  return {
    posts: Array.from({ length: 40 }, (_, at) => ({
      id: at + 1,
      title: `Post ${at} ${'a'.repeat(at)}`,
      views: at,
      author: { name: 'Ada' },
      tags: ['a', 'b'],
      updatedAt: '2025-01-01T00:00:00Z',
    })),
    comments: Array.from({ length: 80 }, (_, at) => ({ id: at + 1, postId: (at % 40) + 1 })),
    profile: { name: 'Ada', tags: [] },
    colours: ['red'],
    'v1/notes': [{ id: 'a' }, { id: 'b' }],
    users: [{ id: 1, email: 'ada@example.com', password: 'secret' }],
    innocent: [{ id: 1, text: 'Nobody touches this.' }],
  }
}
