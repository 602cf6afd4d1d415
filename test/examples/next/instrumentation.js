export async function register() {
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { redirect } = await import('fixtura/ssr')
    redirect({ 'https://api.example.com': process.env.MOCK_URL }, { production: true })
  }
}
