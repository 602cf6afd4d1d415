import { createHash } from 'node:crypto'

import { type Backend, type Call, numberOf, type Reply, serveBackend } from './backend.ts'
import type { Style } from './yardstick.ts'

type Rec = Record<string, unknown> & { id: string }

const words = [
  'algebra',
  'botany',
  'chemistry',
  'drawing',
  'ethics',
  'french',
  'geometry',
  'history',
]
const names = ['Amara', 'Bilal', 'Chiara', 'Dario', 'Esther', 'Fatima', 'Goran', 'Hana', 'Ivo']
const families = ['Okafor', 'Petrov', 'Quist', 'Rossi', 'Silva', 'Tanaka', 'Urban']
const cities = ['Lisbon', 'Graz', 'Turku', 'Ghent']

function uuid(text: string): string {
  const hex = createHash('sha1').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const two = (value: number): string => String(value).padStart(2, '0')

/** An API as FastAPI with SQLAlchemy makes it: UUIDs, pages of `items`, 422 with `detail`. */
export async function serveAcademy(): Promise<Backend> {
  const teachers: Rec[] = Array.from({ length: 6 }, (_, at) => ({
    id: uuid(`teacher${at}`),
    full_name: `${names[(at * 4) % 9]} ${families[(at * 3) % 7]}`,
    email: `teacher${at}@academy.test`,
    is_active: at !== 4,
  }))
  const courses: Rec[] = Array.from({ length: 38 }, (_, at) => ({
    id: uuid(`course${at}`),
    title: `${words[(at * 3) % 8]} ${['I', 'II', 'III'][at % 3]}`,
    level: ['beginner', 'intermediate', 'advanced'][(at * 2) % 3],
    price: 40 + ((at * 29) % 160),
    is_published: at % 5 !== 3,
    tags: [words[at % 8], words[(at + 3) % 8]],
    schedule: { weekday: (at % 5) + 1, starts_at: `${two(8 + (at % 9))}:30`, online: at % 3 === 0 },
    teacher_id: teachers[(at * 5) % 6]?.id,
    created_at: `2026-${two(1 + (at % 10))}-${two(1 + ((at * 13) % 28))}T${two(at % 24)}:05:17.250000`,
  }))
  const students: Rec[] = Array.from({ length: 33 }, (_, at) => ({
    id: uuid(`student${at}`),
    first_name: names[(at * 2) % 9],
    last_name: families[(at * 5) % 7],
    email: `student${at}@academy.test`,
    birth_year: 1980 + ((at * 7) % 25),
    address: { street: `Hill ${at + 1}`, city: cities[(at * 3) % 4], zip: `${10000 + at * 37}` },
    phone: at % 4 === 1 ? null : `+351 21 000 ${two(at)}`,
  }))
  const enrollments: Rec[] = Array.from({ length: 70 }, (_, at) => ({
    id: uuid(`enrollment${at}`),
    course_id: courses[(at * 11) % 38]?.id,
    student_id: students[(at * 7) % 33]?.id,
    status: ['active', 'completed', 'dropped'][(at * 5) % 3],
    grade: at % 3 === 1 ? 50 + ((at * 17) % 50) : null,
    enrolled_at: `2026-${two(1 + (at % 9))}-${two(1 + ((at * 3) % 28))}T09:00:00`,
  }))
  const ok = (value: unknown, status = 200): Reply => ({ status, value })
  const detail = (status: number, text: unknown): Reply => ({ status, value: { detail: text } })
  const missing = (name: string): unknown => ({
    type: 'missing',
    loc: ['body', name],
    msg: 'Field required',
    input: {},
  })
  const withTeacher = (course: Rec): unknown => {
    const teacher = teachers.find(({ id }) => id === course['teacher_id'])
    return { ...course, teacher: teacher && { id: teacher.id, full_name: teacher['full_name'] } }
  }
  const pageOf = (rows: Rec[], url: URL, toItem: (row: Rec) => unknown = (row) => row): Reply => {
    const page = numberOf(url, 'page', 1)
    const size = numberOf(url, 'size', 12)
    if (page < 1) {
      const fault = {
        type: 'greater_than_equal',
        loc: ['query', 'page'],
        msg: 'Input should be greater than or equal to 1',
        input: '0',
        ctx: { ge: 1 },
      }
      return detail(422, [fault])
    }
    return ok({
      items: rows.slice((page - 1) * size, page * size).map(toItem),
      total: rows.length,
      page,
      size,
      pages: Math.ceil(rows.length / size),
    })
  }
  let made = 0
  const isAuthorized = ({ headers }: Call): boolean =>
    headers.authorization === 'Bearer eyJ-academy-8d1f0c'

  function listCourses(url: URL): Reply {
    const { searchParams: query } = url
    let rows = courses
    for (const name of ['level', 'teacher_id', 'is_published']) {
      const value = query.get(name)
      if (value !== null) rows = rows.filter((row) => String(row[name]) === value)
    }
    const tag = query.get('tag')
    if (tag !== null) rows = rows.filter((row) => (row['tags'] as string[]).includes(tag))
    const max = query.get('max_price')
    if (max !== null) rows = rows.filter((row) => Number(row['price']) <= Number(max))
    const search = query.get('search')?.toLowerCase()
    if (search !== undefined)
      rows = rows.filter((row) => String(row['title']).toLowerCase().includes(search))
    const sort = query.get('sort_by')
    if (sort !== null) {
      const sign = query.get('order') === 'desc' ? -1 : 1
      rows = rows.toSorted((a, b) => {
        const [x, y] = [a[sort] as string, b[sort] as string]
        return x === y ? 0 : sign * (x < y ? -1 : 1)
      })
    }
    return pageOf(rows, url, withTeacher)
  }

  function listEnrollments(url: URL, rows: Rec[]): Reply {
    const status = url.searchParams.get('status')
    const sorted = rows.toSorted((a, b) =>
      String(a['enrolled_at']) > String(b['enrolled_at']) ? -1 : 1,
    )
    return pageOf(
      sorted.filter((row) => status === null || row['status'] === status),
      url,
    )
  }

  return serveBackend((call): Reply => {
    const { method, url, body } = call
    const path = url.pathname
    const route = `${method} ${path}`
    if (route === 'GET /health') return ok({ status: 'ok' })
    if (route === 'POST /auth/token') {
      if (body?.['username'] !== 'admin@academy.test' || body['password'] !== 'correct-horse') {
        return detail(401, 'Incorrect username or password')
      }
      return ok({ access_token: 'eyJ-academy-8d1f0c', token_type: 'bearer' })
    }
    if (method !== 'GET' && !isAuthorized(call)) return detail(401, 'Not authenticated')
    if (route === 'GET /courses') return listCourses(url)
    if (route === 'GET /teachers') return ok(teachers)
    if (route === 'GET /students') {
      const skip = numberOf(url, 'skip', 0)
      const city = url.searchParams.get('city')
      const rows = students.filter(
        ({ address }) => city === null || (address as Record<string, unknown>)['city'] === city,
      )
      return ok(rows.slice(skip, skip + numberOf(url, 'limit', 10)))
    }
    if (route === 'GET /enrollments') return listEnrollments(url, enrollments)
    if (route === 'POST /courses') {
      const faults = ['title', 'level', 'price', 'teacher_id']
        .filter((name) => body?.[name] === undefined)
        .map(missing)
      if (faults.length > 0) return detail(422, faults)
      if (Number(body?.['price']) < 0) {
        return detail(422, [
          {
            type: 'greater_than_equal',
            loc: ['body', 'price'],
            msg: 'Input should be greater than or equal to 0',
            input: body?.['price'],
            ctx: { ge: 0 },
          },
        ])
      }
      made += 1
      const course: Rec = {
        id: uuid(`made${made}`),
        title: body?.['title'],
        level: body?.['level'],
        price: body?.['price'],
        is_published: body?.['is_published'] ?? false,
        tags: body?.['tags'] ?? [],
        schedule: body?.['schedule'] ?? null,
        teacher_id: body?.['teacher_id'],
        created_at: new Date().toISOString().replace('Z', '000'),
      }
      courses.push(course)
      return ok(withTeacher(course), 201)
    }
    if (route === 'POST /enrollments') {
      const faults = ['course_id', 'student_id']
        .filter((name) => body?.[name] === undefined)
        .map(missing)
      if (faults.length > 0) return detail(422, faults)
      if (
        enrollments.some(
          (one) =>
            one['course_id'] === body?.['course_id'] && one['student_id'] === body?.['student_id'],
        )
      ) {
        return detail(409, 'Student is already enrolled in this course')
      }
      made += 1
      const enrollment: Rec = {
        id: uuid(`made${made}`),
        course_id: body?.['course_id'],
        student_id: body?.['student_id'],
        status: 'active',
        grade: null,
        enrolled_at: new Date().toISOString().replace(/\..*/, ''),
      }
      enrollments.push(enrollment)
      return ok(enrollment, 201)
    }
    const [, name = '', id = '', sub] = /^\/(\w+)\/([\w-]+)(?:\/(\w+))?$/.exec(path) ?? []
    const rows = { courses, teachers, students, enrollments }[name]
    const title = {
      courses: 'Course',
      teachers: 'Teacher',
      students: 'Student',
      enrollments: 'Enrollment',
    }[name]
    if (!rows) return detail(404, 'Not Found')
    const row = rows.find((one) => one.id === id)
    if (!row) return detail(404, `${title} not found`)
    if (sub === 'enrollments' && name === 'students')
      return ok(enrollments.filter((one) => one['student_id'] === id))
    if (sub === 'courses' && name === 'teachers')
      return ok(courses.filter((one) => one['teacher_id'] === id))
    if (sub === 'enrollments' && name === 'courses')
      return listEnrollments(
        url,
        enrollments.filter((one) => one['course_id'] === id),
      )
    if (sub === 'publish' && name === 'courses' && method === 'POST') {
      if (row['is_published'] === true) return detail(400, 'Course is already published')
      row['is_published'] = true
      return ok(withTeacher(row))
    }
    if (sub !== undefined) return detail(404, 'Not Found')
    if (method === 'GET') return ok(name === 'courses' ? withTeacher(row) : row)
    if (method === 'PUT' && name === 'students') {
      Object.assign(row, body)
      return ok(row)
    }
    if (method === 'PATCH' && name !== 'teachers') {
      Object.assign(row, body)
      return ok(name === 'courses' ? withTeacher(row) : row)
    }
    if (method === 'DELETE' && name !== 'teachers') {
      rows.splice(rows.indexOf(row), 1)
      return { status: 204 }
    }
    return detail(405, 'Method Not Allowed')
  })
}

const course = (at: number): string => uuid(`course${at}`)
const student = (at: number): string => uuid(`student${at}`)
const teacher = (at: number): string => uuid(`teacher${at}`)

export const academy: Style = {
  name: 'academy (FastAPI)',
  serve: serveAcademy,
  headers: { Authorization: 'Bearer {login.access_token}' },
  session: [
    'GET /health',
    'GET /courses',
    'GET /courses?page=2',
    'GET /courses?page=3',
    'GET /courses?page=4',
    'GET /courses?page=1&size=5',
    'GET /courses?page=0',
    'GET /courses?level=beginner',
    'GET /courses?level=advanced&is_published=true',
    'GET /courses?is_published=false',
    `GET /courses?teacher_id=${teacher(1)}`,
    'GET /courses?tag=botany',
    'GET /courses?max_price=90',
    'GET /courses?search=algebra',
    'GET /courses?search=ench',
    'GET /courses?sort_by=price&order=asc',
    'GET /courses?sort_by=title&order=desc',
    `GET /courses/${course(0)}`,
    `GET /courses/${course(7)}`,
    `GET /courses/${uuid('nobody')}`,
    `GET /courses/${course(0)}/enrollments`,
    `GET /courses/${course(11)}/enrollments`,
    'GET /teachers',
    `GET /teachers/${teacher(2)}`,
    `GET /teachers/${teacher(2)}/courses`,
    'GET /students',
    'GET /students?skip=10',
    'GET /students?skip=20&limit=10',
    'GET /students?skip=30&limit=10',
    'GET /students?city=Graz',
    `GET /students/${student(3)}`,
    `GET /students/${student(99)}`,
    `GET /students/${student(3)}/enrollments`,
    'GET /enrollments',
    'GET /enrollments?page=2',
    'GET /enrollments?page=3',
    'GET /enrollments?page=4',
    'GET /enrollments?page=5',
    'GET /enrollments?page=6',
    'GET /enrollments?status=active',
    ['POST /courses', { title: 'Too early' }],
    ['POST /auth/token', { username: 'admin@academy.test', password: 'guess' }],
    [
      'POST /auth/token',
      { username: 'admin@academy.test', password: 'correct-horse' },
      { as: 'login' },
    ],
    ['POST /courses', { title: 'No price', level: 'beginner' }],
    ['POST /courses', { title: 'Minus', level: 'beginner', price: -4, teacher_id: teacher(0) }],
    [
      'POST /courses',
      { title: 'Greek I', level: 'beginner', price: 75, teacher_id: teacher(0), tags: ['greek'] },
      { as: 'course' },
    ],
    'GET /courses/{course.id}',
    ['PATCH /courses/{course.id}', { price: 80 }],
    ['POST /courses/{course.id}/publish'],
    ['POST /courses/{course.id}/publish'],
    `GET /courses?teacher_id=${teacher(0)}`,
    ['POST /enrollments', { course_id: course(1) }],
    ['POST /enrollments', { course_id: course(1), student_id: student(1) }, { as: 'enrollment' }],
    ['POST /enrollments', { course_id: course(1), student_id: student(1) }],
    'GET /enrollments/{enrollment.id}',
    ['PATCH /enrollments/{enrollment.id}', { status: 'completed', grade: 88 }],
    ['DELETE /enrollments/{enrollment.id}'],
    'GET /enrollments/{enrollment.id}',
    [
      `PUT /students/${student(5)}`,
      {
        first_name: 'Nora',
        last_name: 'Silva',
        email: 'nora@academy.test',
        birth_year: 1999,
        address: { street: 'Main 1', city: 'Graz', zip: '8010' },
        phone: null,
      },
    ],
    `GET /students/${student(5)}`,
    ['DELETE /courses/{course.id}'],
    'GET /courses/{course.id}',
    [`DELETE /courses/${uuid('nobody')}`],
    'GET /nothing',
  ],
  questions: [
    'GET /courses?page=2&size=10',
    'GET /courses?page=3&size=7',
    'GET /courses?page=9',
    'GET /courses?level=intermediate',
    'GET /courses?level=beginner&page=2&size=6',
    'GET /courses?is_published=true&size=20',
    `GET /courses?teacher_id=${teacher(3)}`,
    'GET /courses?tag=ethics',
    'GET /courses?tag=drawing&level=advanced',
    'GET /courses?max_price=60',
    'GET /courses?search=hist',
    'GET /courses?search=GEO&page=1&size=3',
    'GET /courses?sort_by=price&order=desc',
    'GET /courses?sort_by=created_at&order=asc&page=2',
    'GET /courses?sort_by=title&size=4',
    `GET /courses/${course(12)}`,
    `GET /courses/${course(30)}`,
    `GET /courses/${uuid('other')}`,
    `GET /courses/${course(22)}/enrollments`,
    `GET /courses/${course(33)}/enrollments?size=1`,
    `GET /teachers/${teacher(5)}`,
    `GET /teachers/${teacher(4)}/courses`,
    `GET /teachers/${uuid('other')}`,
    'GET /students?skip=5&limit=5',
    'GET /students?limit=3',
    'GET /students?skip=40',
    'GET /students?city=Turku',
    `GET /students/${student(17)}`,
    `GET /students/${student(7)}/enrollments`,
    'GET /enrollments?page=2&size=20',
    'GET /enrollments?status=dropped',
    'GET /enrollments?status=completed&page=2',
    `GET /enrollments/${uuid('enrollment20')}`,
    ['POST /courses', { level: 'beginner', price: 10 }],
    [
      'POST /courses',
      { title: 'Latin', level: 'advanced', price: 120, teacher_id: teacher(3) },
      { as: 'course' },
    ],
    'GET /courses/{course.id}',
    [`PATCH /courses/${course(9)}`, { title: 'Renamed' }],
    [`POST /courses/${course(8)}/publish`],
    ['POST /enrollments', { course_id: course(4), student_id: student(2) }],
    [`DELETE /enrollments/${uuid('enrollment30')}`],
  ],
}
