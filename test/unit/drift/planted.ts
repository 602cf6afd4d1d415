import type { BackEnd, Row } from './back-end.ts'

/** A single change in a back end, and the line that reports it. */
export type Planted = readonly [title: string, plant: (backEnd: BackEnd) => void, line: RegExp]

function eachPost(change: (post: Row, at: number) => void): (backEnd: BackEnd) => void {
  return ({ data }) => data.posts.forEach(change)
}

function rename(row: Row, from: string, to: string): void {
  const entries = Object.entries(row).map(([key, value]) => [key === from ? to : key, value])
  for (const key of Object.keys(row)) delete row[key]
  Object.assign(row, Object.fromEntries(entries))
}

type Author = { author: { name?: string; nick?: string; address?: { city?: string } } }

/** The planted changes: each is one difference. */
export const planted: readonly Planted[] = [
  [
    'a field is removed',
    eachPost((post) => delete post['slug']),
    /^posts\.slug: missing there, string here, such as "/,
  ],
  [
    'a field is added',
    eachPost((post, at) => (post['likes'] = at)),
    /^posts\.likes: missing here, integer there, such as 0$/,
  ],
  [
    'a field is renamed',
    eachPost((post) => rename(post, 'slug', 'permalink')),
    /^posts\.slug: named permalink there, slug here$/,
  ],
  [
    'a nested object is removed',
    eachPost((post) => delete (post as Author).author.address),
    /^posts\.author\.address: missing there, object here/,
  ],
  [
    'a nested field is added',
    eachPost((post) => ((post as Author).author.nick = 'n')),
    /^posts\.author\.nick: missing here, string there/,
  ],
  [
    'a deep field is removed',
    eachPost((post) => delete (post as Author).author.address?.city),
    /^posts\.author\.address\.city: missing there, string here/,
  ],
  [
    'integers become texts',
    eachPost((post) => (post['views'] = String(post['views']))),
    /^posts\.views: string there, integer here, such as "/,
  ],
  [
    'integers become fractions',
    eachPost((post, at) => (post['views'] = at + 0.25)),
    /^posts\.views: number there, integer here, such as 0.25$/,
  ],
  [
    'booleans become numbers',
    eachPost((post) => (post['isOpen'] = post['isOpen'] === true ? 1 : 0)),
    /^posts\.isOpen: integer there, boolean here/,
  ],
  [
    'texts become objects',
    eachPost((post) => (post['title'] = { en: post['title'] })),
    /^posts\.title: object there, string here, such as \{"en"/,
  ],
  [
    'elements of lists have another type',
    eachPost((post, at) => (post['tags'] = [at])),
    /^posts\.tags\[\]: integer there, string here, such as 0$/,
  ],
  [
    'a list becomes a text',
    eachPost((post) => (post['tags'] = 'a,b')),
    /^posts\.tags: string there, array here, such as "a,b"$/,
  ],
  [
    'a field can be null',
    eachPost((post, at) => at % 2 && (post['title'] = null)),
    /^posts\.title: null in 30 of 60 there, never null here$/,
  ],
  [
    'a field is never null',
    eachPost((post) => (post['subtitle'] ??= 's')),
    /^posts\.subtitle: never null there, null in 30 of 60 here$/,
  ],
  [
    'a field can be missing',
    eachPost((post, at) => at % 3 === 2 && delete post['rating']),
    /^posts\.rating: missing in 20 of 60 there, always there here$/,
  ],
  [
    'a time becomes a date',
    eachPost((post) => (post['publishedAt'] = String(post['publishedAt']).slice(0, 10))),
    /^posts\.publishedAt: date there, date-time here, such as "\d{4}-\d\d-\d\d"$/,
  ],
  [
    'an address becomes a name',
    ({ data }) => data.users.forEach((user, at) => (user['email'] = `user ${at}`)),
    /^users\.email: another format there, email here, such as "user 0"$/,
  ],
  [
    'an enum has a new value',
    eachPost((post, at) => at % 4 === 0 && (post['status'] = 'hidden')),
    /^posts\.status: "hidden" there, no "hidden" here, such as "hidden"$/,
  ],
  [
    'a value of an enum is renamed',
    eachPost((post) => post['status'] === 'draft' && (post['status'] = 'new')),
    /^posts\.status: "new" there, "draft" here, such as "new"$/,
  ],
  [
    'ids become texts',
    ({ data }) => data.comments.forEach((row, at) => (row['id'] = `c${at}`)),
    /^comments\.id: string there, integer here, such as "c0"$/,
  ],
  [
    'names are in snake_case',
    eachPost(
      (post) => (
        rename(post, 'publishedAt', 'published_at'),
        rename(post, 'userId', 'user_id'),
        rename(post, 'isOpen', 'is_open')
      ),
    ),
    /^posts: named snake_case \(is_open, published_at, user_id\) there, camelCase \(isOpen, publishedAt, userId\) here$/,
  ],
  [
    'a field of a singleton is removed',
    ({ data }) => delete data.settings['fontSize'],
    /^settings\.fontSize: missing there, integer here/,
  ],
  [
    'lists have an envelope',
    (backEnd) => (backEnd.toList = (data, total) => ({ data, total })),
    /^GET \/\*: records in "data" there, an array here$/,
  ],
  [
    'lists are paged',
    (backEnd) => (backEnd.pageSize = 40),
    /^GET \/posts: 40 records a page there, all 60 records here$/,
  ],
  [
    'lists leave out a field',
    (backEnd) => (backEnd.toRow = ({ author: _author, ...row }) => row),
    /^GET \/posts: leaves out author there, has whole records here$/,
  ],
  [
    'an unknown id has another status',
    (backEnd) => (backEnd.unknownStatus = 410),
    /^GET \/\*\/:id: status 410 for an unknown id there, status 404 for an unknown id here$/,
  ],
  [
    'a collection is gone',
    ({ removed }) => removed.add('comments'),
    /^GET \/comments: status 404 there, status 200 here$/,
  ],
  [
    'a list becomes an object',
    ({ data }) => (data.comments = { first: 1 } as never),
    /^GET \/comments: no list there, list here$/,
  ],
]
