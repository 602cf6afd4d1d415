import { createServerClient } from '@supabase/ssr'
import { NextResponse } from 'next/server'

export async function proxy(request) {
  let response = NextResponse.next({ request })
  const { NEXT_PUBLIC_SUPABASE_URL, NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY } = process.env
  const supabase = createServerClient(
    NEXT_PUBLIC_SUPABASE_URL,
    NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY,
    {
      cookies: {
        getAll: () => request.cookies.getAll(),
        setAll(all) {
          for (const { name, value } of all) request.cookies.set(name, value)
          response = NextResponse.next({ request })
          for (const { name, value, options } of all) response.cookies.set(name, value, options)
        },
      },
    },
  )
  await supabase.auth.getUser()
  return response
}

export const config = { matcher: '/notes' }
