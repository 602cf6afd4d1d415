import { type Backend, type Call, type Reply, serveBackend } from './backend.ts'
import type { Style } from './yardstick.ts'

type Rec = Record<string, unknown> & { id: number }
const first = [
  'Ada',
  'Bruno',
  'Carla',
  'Dmitri',
  'Elena',
  'Farid',
  'Greta',
  'Hugo',
  'Ines',
  'Jonas',
  'Kaja',
  'Luis',
  'Mara',
]
const last = [
  'Abel',
  'Brandt',
  'Costa',
  'Duarte',
  'Engel',
  'Fink',
  'Gomez',
  'Hansen',
  'Ivanov',
  'Jansen',
  'Klein',
]
const pad = (n: number): string => String(n).padStart(2, '0')

export async function serveVisits(): Promise<Backend> {
  const doctors: Rec[] = Array.from({ length: 7 }, (_, i) => ({
    id: 11 + i,
    full_name: `Dr. ${last[(i * 3) % 11]}`,
    specialty: ['cardiology', 'dermatology', 'general'][i % 3],
    is_accepting: i % 4 !== 1,
    room: `R-${100 + i}`,
  }))
  const patients: Rec[] = Array.from({ length: 46 }, (_, i) => ({
    id: 1001 + i,
    first_name: first[(i * 5) % 13],
    last_name: last[(i * 7) % 11],
    phone: `+48 600 ${pad(i)}${i % 10} ${pad((i * 7) % 100)}${(i * 3) % 10}`,
    email: i % 6 === 5 ? null : `${String(first[(i * 5) % 13]).toLowerCase()}${i}@mail.test`,
    gender: i % 2,
    birth_date: `19${pad(50 + (i % 49))}-${pad(1 + (i % 12))}-${pad(1 + (i % 28))}`,
    doctor_id: 11 + (i % 7),
    created_at: `2026-0${1 + (i % 9)}-${pad(1 + ((i * 11) % 28))}T0${i % 10}:15:00+01:00`,
  }))
  const visits: Rec[] = Array.from({ length: 90 }, (_, i) => ({
    id: 5001 + i,
    patient_id: 1001 + ((i * 13) % 46),
    doctor_id: 11 + ((i * 5) % 7),
    status: [1, 2, 3, 1][i % 4],
    fee: 50 + ((i * 37) % 200) + (i % 2) / 2,
    visit_date: `2026-${pad(1 + (i % 12))}-${pad(1 + ((i * 17) % 28))}`,
    note: i % 5 === 0 ? '' : `Note ${String.fromCharCode(97 + (i % 26))}${i}`,
    cancel_reason: i % 4 === 2 ? 'no show' : null,
  }))
  const ok = (data: unknown, status = 200): Reply => ({
    status,
    value: { code: 0, message: 'ok', data },
  })
  const bad = (status: number, code: number, message: string, extra = {}): Reply => ({
    status,
    value: { code, message, data: null, ...extra },
  })
  const withDoctor = (v: Rec): Record<string, unknown> => {
    const p = patients.find((x) => x.id === v['patient_id'])
    return {
      ...v,
      patient: p && { id: p.id, first_name: p['first_name'], last_name: p['last_name'] },
    }
  }
  const list = (rows: Rec[], url: URL, shape: (r: Rec) => unknown = (r) => r): Reply => {
    const q = url.searchParams
    let out = rows
    for (const [k, v] of q) {
      if (
        ['page', 'page_size', 'order_by', 'keyword', 'date_from', 'date_to', 'min_fee'].includes(k)
      )
        continue
      if (rows[0] && !(k in rows[0])) continue
      const values = v.split(',')
      out = out.filter((r) => values.includes(String(r[k])))
    }
    const kw = q.get('keyword')?.toLowerCase()
    if (kw)
      out = out.filter((r) =>
        ['first_name', 'last_name', 'phone', 'full_name', 'note'].some((f) =>
          ((r[f] as string | null) ?? '').toLowerCase().includes(kw),
        ),
      )
    const from = q.get('date_from')
    if (from) out = out.filter((r) => String(r['visit_date']) >= from)
    const to = q.get('date_to')
    if (to) out = out.filter((r) => String(r['visit_date']) <= to)
    const fee = q.get('min_fee')
    if (fee) out = out.filter((r) => Number(r['fee']) >= Number(fee))
    const order = q.get('order_by') ?? '-id'
    const f = order.replace(/^-/, '')
    const d = order.startsWith('-') ? -1 : 1
    out = out.toSorted((a, b) => {
      const x = a[f] as never
      const y = b[f] as never
      return x === y ? a.id - b.id : d * (x < y ? -1 : 1)
    })
    const page = Number(q.get('page') ?? 1)
    const size = Math.min(Number(q.get('page_size') ?? 15), 50)
    return ok({
      list: out.slice((page - 1) * size, page * size).map(shape),
      total: out.length,
      page,
      page_size: size,
    })
  }
  let nextVisit = 6000
  return serveBackend(({ method, url, headers, body }: Call): Reply => {
    const path = url.pathname.replace(/^\/api/, '')
    if (path === '/auth/login' && method === 'POST') {
      if (body?.['username'] !== 'frontdesk' || body['password'] !== 'letmein1')
        return bad(401, 40101, 'invalid username or password')
      return ok({
        access_token: 'tok-6f2b9c1d77aa43',
        token_type: 'Bearer',
        expires_in: 7200,
        user: { id: 3, username: 'frontdesk', role: 'reception' },
      })
    }
    if (headers.authorization !== 'Bearer tok-6f2b9c1d77aa43')
      return bad(401, 40100, 'authentication required')
    if (path === '/auth/me') return ok({ id: 3, username: 'frontdesk', role: 'reception' })
    if (path === '/summary')
      return ok({
        patients: patients.length,
        visits: visits.length,
        open: visits.filter((v) => v['status'] === 1).length,
      })
    const m = /^\/(doctors|patients|visits)(?:\/(\d+)(?:\/(\w+))?)?$/.exec(path)
    if (!m) return bad(404, 40400, 'route not found')
    const [, name = '', idText, sub] = m
    const rows = { doctors, patients, visits }[name] ?? []
    if (idText === undefined) {
      if (method === 'GET')
        return name === 'doctors'
          ? ok(
              doctors.filter(
                (d) =>
                  !url.searchParams.get('specialty') ||
                  d['specialty'] === url.searchParams.get('specialty'),
              ),
            )
          : list(rows, url, name === 'visits' ? withDoctor : undefined)
      if (method === 'POST' && name === 'visits') {
        const errors = []
        if (!body?.['patient_id']) errors.push({ field: 'patient_id', reason: 'required' })
        if (!body?.['doctor_id']) errors.push({ field: 'doctor_id', reason: 'required' })
        if (!/^\d{4}-\d\d-\d\d$/.test((body?.['visit_date'] as string | undefined) ?? ''))
          errors.push({ field: 'visit_date', reason: 'must be a date' })
        if (errors.length) return bad(400, 40001, 'validation failed', { errors })
        if (!patients.some((p) => p.id === body?.['patient_id']))
          return bad(404, 40402, 'patient not found')
        const v = {
          id: ++nextVisit,
          patient_id: body?.['patient_id'],
          doctor_id: body?.['doctor_id'],
          status: 1,
          fee: 80,
          visit_date: body?.['visit_date'],
          note: body?.['note'] ?? '',
          cancel_reason: null,
        } as Rec
        visits.push(v)
        return ok(withDoctor(v), 201)
      }
      return bad(405, 40500, 'method not allowed')
    }
    const row = rows.find((r) => r.id === Number(idText))
    if (!row) return bad(404, 40401, `${name.slice(0, -1)} not found`)
    if (sub === undefined) {
      if (method === 'GET')
        return ok(
          name === 'visits'
            ? withDoctor(row)
            : name === 'patients'
              ? { ...row, visit_count: visits.filter((v) => v['patient_id'] === row.id).length }
              : row,
        )
      if (method === 'PATCH' && name !== 'doctors') {
        if ('fee' in (body ?? {}) && !(Number(body?.['fee']) >= 0))
          return bad(400, 40001, 'validation failed', {
            errors: [{ field: 'fee', reason: 'must not be negative' }],
          })
        Object.assign(row, body)
        return ok(name === 'visits' ? withDoctor(row) : row)
      }
      if (method === 'DELETE' && name === 'visits') {
        visits.splice(visits.indexOf(row), 1)
        return ok(null)
      }
      return bad(405, 40500, 'method not allowed')
    }
    if (name === 'doctors' && sub === 'visits' && method === 'GET')
      return list(
        visits.filter((v) => v['doctor_id'] === row.id),
        url,
      )
    if (name === 'patients' && sub === 'visits' && method === 'GET')
      return ok(visits.filter((v) => v['patient_id'] === row.id))
    if (name === 'visits' && sub === 'cancel' && method === 'POST') {
      if (row['status'] !== 1) return bad(409, 40901, 'visit cannot be cancelled')
      Object.assign(row, { status: 3, cancel_reason: body?.['reason'] ?? 'other' })
      return ok(withDoctor(row))
    }
    if (name === 'visits' && sub === 'complete' && method === 'POST') {
      if (row['status'] !== 1) return bad(409, 40902, 'visit cannot be completed')
      Object.assign(row, { status: 2 })
      return ok(withDoctor(row))
    }
    return bad(404, 40400, 'route not found')
  })
}

export const visits: Style = {
  name: 'visits (Go)',
  serve: serveVisits,
  headers: { Authorization: 'Bearer {login.data.access_token}' },
  session: [
    'GET /api/visits',
    ['POST /api/auth/login', { username: 'frontdesk', password: 'wrong' }],
    ['POST /api/auth/login', { username: 'frontdesk', password: 'letmein1' }, { as: 'login' }],
    'GET /api/auth/me',
    'GET /api/summary',
    'GET /api/doctors',
    'GET /api/doctors?specialty=cardiology',
    'GET /api/doctors/11',
    'GET /api/doctors/14',
    'GET /api/doctors/99',
    'GET /api/doctors/11/visits',
    'GET /api/doctors/12/visits?page=1&page_size=5',
    'GET /api/doctors/12/visits?page=2&page_size=5',
    'GET /api/patients',
    'GET /api/patients?page=2',
    'GET /api/patients?page=3',
    'GET /api/patients?page=4',
    'GET /api/patients?page=1&page_size=10',
    'GET /api/patients?keyword=gomez',
    'GET /api/patients?keyword=ad',
    'GET /api/patients?doctor_id=12',
    'GET /api/patients?gender=1&page=2',
    'GET /api/patients?order_by=last_name',
    'GET /api/patients/1001',
    'GET /api/patients/1020',
    'GET /api/patients/999',
    'GET /api/patients/1001/visits',
    'GET /api/patients/1014/visits',
    'GET /api/visits',
    'GET /api/visits?page=2',
    'GET /api/visits?page=3',
    'GET /api/visits?page=4',
    'GET /api/visits?page=5',
    'GET /api/visits?page=6',
    'GET /api/visits?page=7',
    'GET /api/visits?status=1',
    'GET /api/visits?status=2,3&page_size=30',
    'GET /api/visits?doctor_id=12&status=1',
    'GET /api/visits?date_from=2026-06-01',
    'GET /api/visits?date_from=2026-03-01&date_to=2026-04-15',
    'GET /api/visits?min_fee=200',
    'GET /api/visits?order_by=fee',
    'GET /api/visits?order_by=-visit_date&page_size=5',
    'GET /api/visits/5001',
    'GET /api/visits/5002',
    'GET /api/visits/5044',
    'GET /api/visits/1',
    ['POST /api/visits', {}],
    ['POST /api/visits', { patient_id: 1001, doctor_id: 11, visit_date: 'soon' }],
    ['POST /api/visits', { patient_id: 7, doctor_id: 11, visit_date: '2026-12-01' }],
    [
      'POST /api/visits',
      { patient_id: 1002, doctor_id: 12, visit_date: '2026-12-02', note: 'First' },
      { as: 'visit' },
    ],
    'GET /api/visits/{visit.data.id}',
    'GET /api/visits?page_size=3',
    ['PATCH /api/visits/{visit.data.id}', { note: 'Changed' }],
    ['PATCH /api/visits/{visit.data.id}', { fee: -1 }],
    ['PATCH /api/visits/5003', { fee: 99 }],
    'GET /api/visits/5003',
    ['POST /api/visits/5001/cancel', { reason: 'ill' }],
    'GET /api/visits/5001',
    ['POST /api/visits/5001/cancel', { reason: 'ill' }],
    ['POST /api/visits/5005/complete'],
    'GET /api/visits/5005',
    ['POST /api/visits/5005/complete'],
    ['DELETE /api/visits/{visit.data.id}'],
    'GET /api/visits/{visit.data.id}',
    ['DELETE /api/visits/1'],
    ['PATCH /api/patients/1003', { phone: '+48 700 000 000' }],
    'GET /api/patients/1003',
    ['DELETE /api/doctors/11'],
    'GET /api/nothing',
    'GET /api/summary',
  ],
  questions: [
    'GET /api/patients?page=1&page_size=20',
    'GET /api/patients?page=5&page_size=10',
    'GET /api/patients?page=9',
    'GET /api/patients?keyword=klein',
    'GET /api/patients?keyword=HU',
    'GET /api/patients?doctor_id=15',
    'GET /api/patients?doctor_id=11,13',
    'GET /api/patients?gender=0',
    'GET /api/patients?order_by=-last_name&page_size=5',
    'GET /api/patients?order_by=birth_date',
    'GET /api/patients/1005',
    'GET /api/patients/1044',
    'GET /api/patients/5',
    'GET /api/patients/1003/visits',
    'GET /api/patients/1040/visits',
    'GET /api/doctors/12',
    'GET /api/doctors/17',
    'GET /api/doctors?specialty=general',
    'GET /api/doctors/13/visits',
    'GET /api/doctors/15/visits?page=2&page_size=4',
    'GET /api/visits?status=3',
    'GET /api/visits?status=1,3&page=2',
    'GET /api/visits?doctor_id=14&status=2',
    'GET /api/visits?date_to=2026-02-28',
    'GET /api/visits?date_from=2026-09-10&date_to=2026-10-10&page_size=4',
    'GET /api/visits?min_fee=150&status=1',
    'GET /api/visits?order_by=-fee&page=2',
    'GET /api/visits?order_by=visit_date&page_size=7',
    'GET /api/visits?patient_id=1014',
    'GET /api/visits/5010',
    'GET /api/visits/5090',
    'GET /api/visits/2',
    ['POST /api/visits', { patient_id: 1003, visit_date: '2026-12-03' }],
    [
      'POST /api/visits',
      { patient_id: 1003, doctor_id: 13, visit_date: '2026-12-03' },
      { as: 'visit' },
    ],
    'GET /api/visits/{visit.data.id}',
    ['PATCH /api/visits/5030', { note: 'Hello' }],
    ['POST /api/visits/5009/cancel', { reason: 'moved' }],
    ['POST /api/visits/5013/complete'],
    'GET /api/visits/5013',
    ['DELETE /api/visits/5020'],
  ],
}
